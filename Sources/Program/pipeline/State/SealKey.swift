/// Where the key of sealed values is.
struct SealKey {
  let command, file, variable: String?

  /// The sealer for runs of a pipeline, by default with the key of the user; `nil` if it seals nothing.
  func sealer(for pipeline: Pipeline, outside state: StateFolder) throws -> AESGCMSealer? {
    guard pipeline.sealsOutputs else { return nil }
    return try Self.sealer(textOrUsers(outside: state))
  }

  /// The key's text; that of the user if no source is named.
  func textOrUsers(outside state: StateFolder) throws -> [UInt8] {
    try text(outside: state) ?? Self.ofUser(outside: state)
  }

  /// The key's text without white space around it; `nil` if no source is named.
  func text(outside state: StateFolder) throws -> [UInt8]? {
    if let command { return try Self.output(of: command) }
    if let file { return try Self.content(of: file, outside: state) }
    return variable.flatMap(Terminal.environment).map { Self.trimmed(Array($0.utf8)) }
  }

  static func sealer(_ text: [UInt8], earlier: [UInt8]? = nil) throws -> AESGCMSealer {
    guard let sealer = AESGCMSealer(key: text, earlier: earlier) else {
      throw CommandFailure.invalid(
        "the key of sealed values has \(text.count) bytes, expected at least \(AESGCMSealer.shortestKey); "
          + "`openssl rand -base64 32` prints one")
    }
    return sealer
  }

  /// The key in the user's configuration folder; made if there is none.
  private static func ofUser(outside state: StateFolder) throws -> [UInt8] {
    let path = Settings.folder + "/key"
    let descriptor = {
      try? FileManager.default.createDirectory(
        atPath: Settings.folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }()
    if descriptor >= 0 {
      defer { close(descriptor) }
      var random = SystemRandomNumberGenerator()
      let key = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
      let code = FileContents.write(key.base64EncodedString() + "\n", to: descriptor)
      guard code == 0, fsync(descriptor) == 0 else {
        throw CommandFailure.environment(
          "cannot write '\(path)': \(FileContents.reason(code == 0 ? errno : code))")
      }
      Terminal.error("created '\(path)', the key of sealed values; keep a copy of it")
    }
    return try content(of: path, outside: state)
  }

  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// The output of a command.
  ///
  /// Its error output goes to the terminal, and its input comes from there, so that it may ask.
  private static func output(of command: String) throws -> [UInt8] {
    guard let stream = popen(command, "re") else {
      throw CommandFailure.environment(
        "--key-command cannot be started: \(FileContents.reason(errno))")
    }
    let output = Result { try FileContents.bytes(of: fileno(stream)) }
    let status = pclose(stream)
    guard status == 0 else {
      // As a shell reports it: 128 and the signal.
      let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
      throw CommandFailure.environment("--key-command ended with status \(code) and no key")
    }
    return trimmed(try output.get())
  }

  private static func content(of file: String, outside state: StateFolder) throws -> [UInt8] {
    let path = URL(filePath: file).resolvingSymlinksInPath().path
    let folder = URL(filePath: state.path).resolvingSymlinksInPath().path
    guard !path.hasPrefix(folder + "/") else {
      throw CommandFailure.invalid(
        "the key file '\(file)' is in the state folder: a copy of the folder would include the key of its values"
      )
    }
    var status = stat()
    guard lstat(path, &status) == 0, let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure.environment("the key file '\(file)' cannot be read")
    }
    guard status.st_mode & 0o077 == 0, status.st_uid == getuid() else {
      throw CommandFailure.invalid(
        "the key file '\(file)' can be read by others: chmod 600 '\(file)'")
    }
    return trimmed(Array(data))
  }
}
