/// The shards of one run, from one state folder or from several.
struct ShardedRun {
  struct Part {
    let shard: Shard
    let folder: RunFolder
  }

  /// Those that were found, by their numbers.
  var parts: [Part]
  let count: Int
  /// Whether all shards are selected, and not one of them.
  var isWhole = true
  /// An object with the same lifetime: the folder of shards that are in a database.
  var keeping: ScratchFolder?

  /// The numbers of those that were not found.
  var missing: [Int] {
    guard isWhole else { return [] }
    let found = Set(parts.map(\.shard.number))
    return (1...count).filter { !found.contains($0) }
  }

  /// The shards that a name means, or the newest runs and those with their name; `nil` if that is one run, or one shard.
  static func find(_ run: String?, in states: [StateFolder]) throws(CommandFailure) -> ShardedRun? {
    var found: [RunFolder] = []
    for state in states { found += try shards(run, in: state) }
    guard found.count > 1, let first = found.first else { return nil }
    var parts: [Part] = []
    for folder in found {
      guard let shard = folder.origin?.shard.flatMap({ Shard($0) }) else {
        throw CommandFailure.invalid(
          "\(place(folder)) is not a shard, so it cannot be one run with \(place(first))")
      }
      parts.append(Part(shard: shard, folder: folder))
    }
    parts.sort { $0.shard.number < $1.shard.number }
    try check(parts)
    return ShardedRun(parts: parts, count: parts[0].shard.count)
  }

  private static func shards(
    _ run: String?, in state: StateFolder
  ) throws(CommandFailure) -> [RunFolder] {
    let folders = state.folders()
    let name = if let run { run } else { try state.find(nil).origin?.name }
    let named = folders.filter { name != nil && $0.origin?.name == name }
    let areShards = named.count > 1 && named.allSatisfy { $0.origin?.shard != nil }
    return areShards ? named : [try state.find(run)]
  }

  /// Refuses shards that do not belong together.
  private static func check(_ parts: [Part]) throws(CommandFailure) {
    for (one, next) in zip(parts, parts.dropFirst()) {
      if one.shard.count != next.shard.count {
        throw CommandFailure.invalid(
          "\(place(one.folder)) is shard \(one.shard), and \(place(next.folder)) shard \(next.shard): these are not shards of one run"
        )
      }
      if one.shard == next.shard {
        throw CommandFailure.invalid(
          "\(place(one.folder)) and \(place(next.folder)) are both shard \(one.shard): name each shard only once"
        )
      }
      if try one.folder.definition() != next.folder.definition()
        || one.folder.usedFiles != next.folder.usedFiles
      {
        throw CommandFailure.invalid(
          "\(place(one.folder)) and \(place(next.folder)) started with different pipelines, so they are not shards of one run"
        )
      }
    }
  }

  private static func place(_ folder: RunFolder) -> String {
    "'\(folder.id)' in '\(folder.state.path)'"
  }

  /// The message about shards that were not found; `nil` if all were.
  var remark: String? { Self.remark(missing, of: count) }

  static func remark(_ missing: [Int], of count: Int) -> String? {
    guard let first = missing.first else { return nil }
    guard missing.count > 1 else { return "shard \(first) of \(count) was not found" }
    let shown = missing.prefix(10).map(String.init).joined(separator: ", ")
    let rest = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    return "shards \(shown)\(rest) of \(count) were not found"
  }

  /// Calls `body` with each shard, opened to be read; throws if one started with other inputs than the first.
  func each(_ body: (RunSnapshot, Part) async throws -> Void) async throws {
    var first: [String: String]?
    for part in parts {
      let opened = try await RunSnapshot.open(part.folder)
      let inputs = Self.comparable(opened)
      if let first, let other = first.first(where: { inputs[$0.key] != $0.value }) {
        await opened.store.close()
        throw CommandFailure.invalid(
          "input '\(other.key)' is '\(other.value)' in \(Self.place(parts[0].folder)), and '\(inputs[other.key] ?? "")' in "
            + "\(Self.place(part.folder)): these are not shards of one run")
      }
      first = first ?? inputs
      do { try await body(opened, part) } catch {
        await opened.store.close()
        throw error
      }
      await opened.store.close()
    }
  }

  /// The inputs that are the same for all shards of a run, as texts.
  private static func comparable(_ opened: RunSnapshot) -> [String: String] {
    // Paths may differ, since each machine has its own mount points, and so does the embedded server of each run.
    let own = opened.folder.origin?.demo == true ? EmbeddedServer.presets(baseURL: "") : [:]
    let names = opened.pipeline.inputs.filter { input in
      ![.file, .files, .folder].contains(input.kind) && own[input.name] == nil
    }.map(\.name)
    return opened.state.inputs.filter { names.contains($0.key) }
      .mapValues { $0.stringValue ?? $0.description }
  }

  /// The only item of all shards that `name` means; a number means one of one shard.
  func item(_ name: String) async throws -> (opened: RunSnapshot, key: ItemKey) {
    if ItemKey(name) != nil, parts.count > 1 {
      throw CommandFailure.invalid(
        "each shard has an item \(name): name the shard too, such as '\(parts[0].folder.id)', or the item by its path"
      )
    }
    var found: [(opened: RunSnapshot, key: ItemKey)] = []
    var problem: CommandFailure?
    for part in parts {
      let opened = try await RunSnapshot.open(part.folder)
      do {
        found.append((opened, try await ItemNames(opened).item(name).key))
      } catch let failure as CommandFailure {
        await opened.store.close()
        problem = problem ?? failure
      }
    }
    guard let first = found.first, found.count == 1 else {
      for one in found { await one.opened.store.close() }
      guard found.isEmpty, let problem else {
        throw CommandFailure.invalid(
          "'\(name)' means items of several shards: name one by its path, or its shard too, such as '\(parts[0].folder.id)'"
        )
      }
      throw problem
    }
    return first
  }
}
