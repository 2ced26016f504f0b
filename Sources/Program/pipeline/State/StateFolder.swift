/// The folder that holds all runs: `$XDG_STATE_HOME/pipeline`, or what `--state` names.
struct StateFolder {
  let path: String

  init(_ path: String?) {
    if let path {
      self.path = Self.absolute(path)
      return
    }
    let home = Terminal.environment("HOME") ?? "/"
    self.path = (Terminal.environment("XDG_STATE_HOME") ?? home + "/.local/state") + "/pipeline"
  }

  /// The folder of a command that does not name one.
  static var usual: StateFolder { StateFolder(Settings.unasked.state) }

  static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

  /// Creates a folder that only the user can enter.
  static func make(_ path: String, as words: String = "the folder ") throws(CommandFailure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure.environment("cannot create \(words)'\(path)': \(reason(error))")
    }
  }

  var runsPath: String { path + "/runs" }
  var seriesPath: String { path + "/series" }

  /// Creates the folder of a new run under the first unused name; two runs never get the same name.
  func create(named name: () -> RunID) throws(CommandFailure) -> RunFolder {
    var folder = folder(of: name())
    do {
      try FileManager.default.createDirectory(
        atPath: runsPath, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      var attempts = 0
      // A single step, which fails if another process was first.
      while mkdir(folder.path, 0o700) != 0 {
        attempts += 1
        guard errno == EEXIST, attempts < Self.nameAttempts else {
          throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        folder = self.folder(of: name())
      }
      guard mkdir(folder.filesPath, 0o700) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      throw CommandFailure.environment(
        "cannot create the run's folder '\(folder.path)': \(Self.reason(error)); "
          + "use --state to name a writable folder")
    }
    return folder
  }

  /// Names to try; each has a random part.
  private static let nameAttempts = 10_000

  private func folder(of id: RunID) -> RunFolder {
    RunFolder(id: id, path: runsPath + "/" + id.rawValue)
  }

  /// All runs, newest last: a run's name contains its start time.
  func folders() -> [RunFolder] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: runsPath)) ?? []
    return names.map { RunFolder(id: RunID($0), path: runsPath + "/" + $0) }
      .filter { $0.isRun }.sorted { $0.order < $1.order }
  }

  /// The newest run that can continue and that no process is working on; otherwise the newest run.
  func newestUnfinished() async throws(CommandFailure) -> RunFolder {
    let newest = try find(nil)
    for folder in folders().reversed() where !RunLock.isHeld(folder) {
      let status = (try? await folder.summary())?.status
      switch status {
      case .running, .paused, .cancelling: return folder
      case nil where folder.id == newest.id: return folder
      case .finished, .cancelled, nil: continue
      }
    }
    return newest
  }

  /// The run that the user named by its ID, its name or the start of its ID, or the newest one.
  func find(_ name: String?) throws(CommandFailure) -> RunFolder {
    let folders = folders()
    guard let name else {
      guard let newest = folders.last else {
        throw CommandFailure.invalid(
          "there are no runs in '\(path)'; start one with `\(NextCommand.text(["run", "FILE"], in: self))`"
        )
      }
      return newest
    }
    let named = folders.filter { $0.origin?.name == name }
    if let only = named.first {
      guard named.count > 1 else { return only }
      throw CommandFailure.invalid(
        "'\(name)' is a run in shards, of which \(named.count) are in '\(path)': name one by its ID, such as '\(only.id)'; "
          + "`\(NextCommand.text(["status", name], in: self))` shows all of them")
    }
    let matching = folders.filter { $0.id.isMeant(by: name) }
    if matching.count == 1 { return matching[0] }
    let hint =
      matching.isEmpty
      ? "`\(NextCommand.text(["runs"], in: self))` lists them"
      : "it could be " + matching.suffix(3).map { "'\($0.id)'" }.joined(separator: ", ")
    throw CommandFailure.invalid("no run is called '\(name)' in '\(path)'; \(hint)")
  }

  /// Why reading or writing failed, without a final full stop.
  static func reason(_ error: any Error) -> String {
    if let problem = error as? FileContents.Problem { return problem.reason }
    if let error = error as? POSIXError { return FileContents.reason(error.code.rawValue) }
    guard let error = error as? CocoaError else { return "\(error)" }
    // Foundation's own messages for these start with "The operation could not be completed".
    return switch error.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "no such file or folder"
    case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
    case .fileWriteVolumeReadOnly: "the file system is read-only"
    case .fileWriteOutOfSpace: "no space is left on the disk"
    case .fileReadInapplicableStringEncoding: "it is not UTF-8 text"
    default: error.underlying.map(reason) ?? "\(error)"
    }
  }
}

/// The folder of one run; it contains all of the run's state and may be moved.
struct RunFolder {
  let id: RunID
  let path: String
  /// The shard of a database whose run it is; then the folder has what one process needs of it, and not its state.
  var shard: DatabaseShard?
  var definitionPath: String { path + "/pipeline.yaml" }
  var filesPath: String { path + "/files" }
  var lockPath: String { path + "/lock" }
  /// The output of a process in the background.
  var outputPath: String { path + "/output.log" }
  var usedPath: String { path + "/used.json" }
  var originPath: String { path + "/origin.json" }
  var isRun: Bool { FileManager.default.fileExists(atPath: definitionPath) }

  /// The part of the name that starts with the date, so that names sort by time.
  var order: String {
    let parts = id.rawValue.split(separator: "-")
    return parts.count > 3 ? parts.suffix(3).joined(separator: "-") : id.rawValue
  }

  /// The origin of a run: useful to the user, but not needed to continue.
  struct Origin: Codable {
    /// The absolute path of the file that the user named.
    var definition: String
    var demo: Bool
    var root: String?
    /// The patterns of `files` inputs with their folders, as passed;
    /// `nil` if the run repeats one whose folder has lost them.
    var patterns: [String: String]?
    var name: String?
    /// The series of `run --watch` that it is one of, if any.
    var series: String?
    var shard: String?
    /// How many hidden files and folders its patterns skipped.
    var hidden: Int?
  }

  /// The texts of the files that the definition uses, by path relative to its folder.
  var usedFiles: [String: String] { Self.decoded(usedPath) ?? [:] }

  /// A file's JSON content; `nil` if it cannot be read.
  static func decoded<Content: Decodable>(_ path: String) -> Content? {
    (try? Data(contentsOf: URL(filePath: path)))
      .flatMap { try? JSONDecoder().decode(Content.self, from: $0) }
  }

  func writeOrigin(_ origin: Origin, definition: Definition) throws(CommandFailure) {
    do {
      if !definition.used.isEmpty {
        try JSONEncoder().encode(definition.used)
          .write(to: URL(filePath: usedPath), options: .atomic)
        Self.sync(usedPath)
      }
      try definition.text.write(toFile: definitionPath, atomically: true, encoding: .utf8)
      try JSONEncoder().encode(origin).write(to: URL(filePath: originPath), options: .atomic)
      for path in [definitionPath, originPath, self.path] { Self.sync(path) }
    } catch {
      throw CommandFailure.environment("cannot write to '\(path)': \(StateFolder.reason(error))")
    }
  }

  func workspace(_ cache: any RunStore) throws -> POSIXWorkspace {
    try POSIXWorkspace(root: filesPath, cache: cache, userMask: UInt32(PrivateProcess.userMask))
  }

  /// Makes a file, or a folder's entries, survive a power failure; best effort if the file system cannot.
  static func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  var origin: Origin? { Self.decoded(originPath) }

  func definition() throws(CommandFailure) -> String {
    do { return try String(contentsOfFile: definitionPath, encoding: .utf8) } catch {
      throw CommandFailure.environment(
        "cannot read '\(definitionPath)': \(StateFolder.reason(error))")
    }
  }
}

/// A command that a message recommends, in words that need no further quoting in a shell.
enum NextCommand {
  /// `words` of the command, such as `attach holidays`, with `--state` where it would otherwise look elsewhere.
  static func text(_ words: [String], in state: StateFolder) -> String {
    let usual = StateFolder.absolute(StateFolder.usual.path)
    let place = StateFolder.absolute(state.path) == usual ? [] : ["--state", state.path]
    return (["pipeline"] + words + place).map(ShellWord.quoted).joined(separator: " ")
  }
}

extension RunFolder: RunPlace {
  var label: (name: String?, hidden: Int?) {
    let origin = origin
    return (origin?.name, origin?.hidden)
  }

  var shardPlace: (any ShardPlace)? { shard }

  /// A command for this run, by the run's name if no other shard has that too.
  func command(_ verb: String, more: [String]) -> String {
    let words = verb.split(separator: " ").map(String.init)
    if let shard { return shard.database.command(words + [shard.run.displayName] + more) }
    let origin = origin
    let name = origin?.shard == nil ? origin?.name : nil
    return NextCommand.text(words + [name ?? id.rawValue] + more, in: state)
  }

  /// The folder that contains it among other runs.
  var state: StateFolder { .above(path) }
}

extension KnownSeries {
  /// A command for this series, such as `pipeline attach camera`.
  func command(_ verb: String) -> String { NextCommand.text([verb, note.key], in: .above(folder)) }
}

extension StateFolder {
  /// The one that has the folder of a run or of a series.
  static func above(_ folder: String) -> StateFolder {
    StateFolder(URL(filePath: folder).deletingLastPathComponent().deletingLastPathComponent().path)
  }
}

extension Instant {
  static var wallClock: Instant {
    Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
  }
}
