/// What one process needs of runs in a database; removed at the end, or by the next process if this one is killed.
final class ScratchFolder: Sendable {
  let path: String
  private let descriptor: Int32

  /// - Parameter parent: Where the folder is created, next to those of other processes.
  init(in parent: String) throws(CommandFailure) {
    Self.removeOrphans(in: parent)
    let path =
      parent + "/\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))"
    try StateFolder.make(path)
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    self.path = path
    Self.removeAtExit(path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  private static let paths = Mutex<[String]>([])

  /// A process that ends does not deinitialize its objects.
  private static func removeAtExit(_ path: String) {
    let isFirst = paths.withLock { paths in
      paths.append(path)
      return paths.count == 1
    }
    guard isFirst else { return }
    atexit {
      for path in ScratchFolder.paths.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// The system releases a lock when its process ends, however it ends.
  private static func removeOrphans(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      let path = parent + "/" + name
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
      }
      close(descriptor)
    }
  }

  /// A folder with the definition of a run, for one of its shards.
  func folder(of shard: DatabaseShard) throws(CommandFailure) -> RunFolder {
    let folder = RunFolder(
      id: shard.run.id(ofShard: shard.number),
      path: "\(path)/\(shard.run.id).\(shard.number)-\(UInt32.random(in: 0 ... .max))", shard: shard
    )
    do {
      try FileManager.default.createDirectory(
        atPath: folder.filesPath, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let material = shard.run.material
      for (text, path) in [
        (material.definition, folder.definitionPath), (material.used, folder.usedPath),
        (material.origin, folder.originPath),
      ] { try text.write(toFile: path, atomically: false, encoding: .utf8) }
    } catch {
      throw CommandFailure.environment(
        "cannot write to '\(folder.path)': \(StateFolder.reason(error))")
    }
    return folder
  }
}

extension StoredRun.Material {
  init(_ definition: Definition, _ origin: RunFolder.Origin) throws {
    self.init(
      definition: definition.text,
      used: String(decoding: try JSONEncoder().encode(definition.used), as: UTF8.self),
      origin: String(decoding: try JSONEncoder().encode(origin), as: UTF8.self))
  }
}
