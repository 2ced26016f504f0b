/// Finds the items of a run by `LOOP/NUMBER`, a file's path, its name or the end of its path, or a text of the item.
struct ItemNames {
  let run: RunFolder
  let store: any RunStore
  let loops: Range<Int>

  init(run: RunFolder, store: any RunStore, pipeline: Pipeline) {
    (self.run, self.store, loops) = (run, store, pipeline.loops.indices)
  }

  func item(_ name: String) async throws -> Item {
    if let key = ItemKey(name) {
      guard let item = try await store.item(key) else {
        throw CommandFailure.invalid("run '\(run.id)' has no item \(key)")
      }
      return item
    }
    let found = try await candidates(name)
    if found.count == 1 { return found[0] }
    guard found.isEmpty else { throw Self.several(name, found, run.id) }
    throw CommandFailure(
      .invalid, "run '\(run.id)' has no item called '\(name)'", details: try await similar(to: name)
    )
  }

  private static let shown = 20

  private static func several(_ name: String, _ found: [Item], _ run: RunID) -> CommandFailure {
    var lines = found.prefix(shown).map { "  \($0.key)  \($0.subject.place): \($0.status.word)" }
    if found.count > shown { lines.append("  and \(found.count - shown) more") }
    return CommandFailure(
      .invalid,
      "'\(name)' means \(found.count) items of run '\(run)'; name one by its number or its path:",
      details: lines)
  }

  /// All items that `name` may mean: those that have it as their whole path or text, or else those that have it as a part.
  private func candidates(_ name: String) async throws -> [Item] {
    guard let last = name.split(separator: "/").last.map(String.init) else { return [] }
    let absolute =
      name.hasPrefix("/") ? name : FileManager.default.currentDirectoryPath + "/" + name
    let items = try await store.items(called: Array(Value.string(last).jsonText().utf8))
    let whole = items.filter { $0.subject.isWhole(name, orPath: absolute) }
    return whole.isEmpty ? items.filter { $0.subject.isPart(name) } : whole
  }

  /// How many items are compared with a name that none has.
  private static let compared = 20_000

  private func similar(to name: String) async throws -> [String] {
    var best: [String: ItemKey] = [:]
    var count = 0
    for loop in loops {
      var after = -1
      while count < Self.compared {
        let items = try await store.items(loop: loop, status: nil, after: after, limit: 256)
        guard let last = items.last else { break }
        (after, count) = (last.key.ordinal, count + items.count)
        for names in [items.map(\.subject.place), items.map(\.subject.lastName)] {
          guard let near = nearestName(to: name, among: names),
            let index = names.firstIndex(of: near)
          else { continue }
          if best[near] == nil { best[near] = items[index].key }
        }
      }
    }
    guard let nearest = nearestName(to: name, among: best.keys.sorted()), let key = best[nearest]
    else { return ["`\(run.command("items"))` lists them"] }
    return ["did you mean '\(nearest)' (\(key))? `\(run.command("items"))` lists all"]
  }
}

extension Item.Subject {
  var lastName: String {
    guard case .file(let file) = self else { return place }
    return file.name
  }

  fileprivate func isWhole(_ name: String, orPath path: String) -> Bool {
    if case .file(let file) = self { return file.relative == name || file.path == path }
    return label == name || place == name
  }

  fileprivate func isPart(_ name: String) -> Bool {
    switch self {
    case .file(let file): file.name == name || file.path.hasSuffix("/" + name)
    case .value(let value):
      label.hasSuffix("/" + name)
        || value.mapValue?.contains { _, field in field.stringValue == name } == true
    }
  }
}

/// Positional arguments of commands that accept a run and some of its items, of which either may be omitted:
/// `explain 0/12`.
struct ItemArguments {
  let run: String?
  let names: [String]
  /// The first argument, if it may have been meant as a run.
  let guess: String?
  private let folder: StateFolder

  /// - Parameter isList: Whether there may be several items.
  init(run: String?, items: [String], isList: Bool = false, in folder: StateFolder) {
    self.folder = folder
    guard let run else {
      (self.run, names, guess) = (nil, items, nil)
      return
    }
    let isRun = folder.folders().contains { $0.id.isMeant(by: run) || $0.origin?.name == run }
    if ItemKey(run) != nil {
      (self.run, names, guess) = (nil, [run] + items, nil)
    } else if isRun || !items.isEmpty && !isList {
      (self.run, names, guess) = (run, items, nil)
    } else {
      (self.run, names, guess) = (nil, [run] + items, run)
    }
  }

  func items(_ known: ItemNames) async throws -> [Item] {
    var items: [Item] = []
    for name in names {
      do { items.append(try await known.item(name)) } catch let failure as CommandFailure
        where name == guess
      {
        throw CommandFailure(
          failure.status,
          "no run is called '\(name)' in '\(folder.path)', and \(failure.message ?? "no item is")",
          details: failure.details)
      }
    }
    return items
  }
}

extension ItemKey {
  /// Reads `LOOP/NUMBER`.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let loop = parts[0], let ordinal = parts[1], loop >= 0, ordinal >= 0
    else { return nil }
    self.init(loop: loop, ordinal: ordinal)
  }
}
