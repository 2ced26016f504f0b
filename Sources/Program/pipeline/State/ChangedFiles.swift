/// Files of items that have changed since the run started.
struct ChangedFiles {
  let opened: OpenRun
  let series: SeriesRun?

  enum Change: Hashable {
    case gone
    case changed(FileValue)
  }

  /// The change of the item's file since the run started; `nil` if it is unchanged, or the item is not a file.
  static func change(of item: Item) -> Change? {
    guard case .file(let known) = item.subject, known.path.hasPrefix("/") else { return nil }
    guard let now = try? SourceFile.describe(known.path, in: "/") else { return .gone }
    let isSame =
      known.problem == nil && now.size == known.size && now.modified == known.modified
    return isSame ? nil : .changed(now.with(relative: known.relative))
  }

  /// Accepts the changed files of paused and failed items, which then start over.
  ///
  /// A file that a later run of the series claimed belongs to that run. Nothing was sent of a file that could not be
  /// read, so it is accepted in any case.
  func accept(
    _ keys: [ItemKey]?, onlyUnread: Bool = false, _ statuses: [Item.Status] = [.paused, .failed]
  ) async throws -> (accepted: Int, left: Int) {
    var count = 0
    var left = 0
    let wanted = keys.map(Set.init)
    for loop in opened.state.loops.indices {
      for status in statuses {
        try await opened.store.eachPage(of: loop, status) { items in
          let changed = items.compactMap { item -> Item? in
            guard wanted?.contains(item.key) != false, case .file(let known) = item.subject,
              !onlyUnread || known.problem != nil,
              case .changed(let file) = Self.change(of: item)
            else { return nil }
            if series?.laterRun(with: file) != nil {
              left += 1
              return nil
            }
            var frame = item.frame
            for index in frame.indices { frame[index].beginAnew() }
            return Item(
              key: item.key, subject: .file(file), status: item.status, frame: frame,
              reason: item.reason, abandoning: item.abandoning, remnants: item.remnants)
          }
          try await opened.store.replace(changed, epoch: opened.epoch)
          count += changed.count
        }
      }
    }
    return (count, left)
  }
}

extension StepState {
  /// Discards the result; the generation stays, so that no key is used twice.
  fileprivate mutating func beginAnew() {
    let generation = generation
    self = StepState()
    self.generation = generation
  }
}
