enum RunName {
  /// Why a text cannot be the name of a run; `nil` if it can.
  static func problem(_ name: String) -> String? {
    if name.isEmpty { return "must not be empty" }
    // An item is called LOOP/NUMBER, or by its path.
    if name.contains("/") { return "must not contain '/', which the names of items have" }
    if name.hasPrefix("-") { return "must not start with '-', as options do" }
    if name.hasPrefix(".") { return "must not start with '.'" }
    if name.utf8.count > 100 { return "must not be longer than 100 bytes" }
    if name != name.visibleLine || name.first?.isWhitespace == true
      || name.last?.isWhitespace == true
    {
      return "must not contain control characters, nor start or end with a space"
    }
    return nil
  }

  /// Reserves `name`, which shards of one run share, while the result exists; it must not be the ID of a run, because the name would hide that.
  static func reserve(
    _ name: String, for id: RunID, shard: Shard? = nil, in state: StateFolder
  ) throws(CommandFailure) -> FolderLock {
    let lock = try FolderLock(state.runsPath)
    let folders = state.folders()
    if let other = folders.first(where: { other in
      other.origin?.name == name && !isSibling(other.origin?.shard, of: shard)
    }) {
      throw CommandFailure.invalid(
        "another run is called '\(name)': '\(other.id)'; choose another name, or remove that run "
          + "with `\(other.command("runs rm"))`")
    }
    if let series = KnownSeries.all(in: state).first(where: { $0.note.name == name }) {
      throw CommandFailure.invalid(
        "a series of `run --watch` is called '\(name)' (\(series.note.pipeline)); choose another name"
      )
    }
    if (folders.map(\.id) + [id]).contains(where: { $0.rawValue == name }) {
      throw CommandFailure.invalid("another run has the ID '\(name)'; choose another name")
    }
    return lock
  }

  /// Whether a shard belongs to the same run as another one.
  private static func isSibling(_ other: String?, of shard: Shard?) -> Bool {
    guard let shard, let other = other.flatMap({ Shard($0) }) else { return false }
    return other.count == shard.count && other.number != shard.number
  }
}
