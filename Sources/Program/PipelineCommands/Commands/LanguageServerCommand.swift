import PipelineLanguageServer

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "lsp", "Run a language server over standard input and output (LSP).",
    status: ExitStatus.help([
      (.done, "the editor sent 'shutdown', then 'exit'"),
      (.incomplete, "the editor sent 'exit' without 'shutdown', or disconnected"),
      (.usage, ExitStatus.usage.meaning),
    ]))

  @Flag(
    name: .customLong("stdio"),
    help: "Use standard input and output (the default; for editors that pass it).")
  var usesStandardStreams = false

  @OptionGroup var reach: RootOption

  func run() throws {
    // A failed write shows that the editor has gone, so the signal is not needed.
    signal(SIGPIPE, SIG_IGN)
    let root = reach.folder
    let loop = LanguageServerLoop(
      version: Version.current, pages: .local, files: { DocumentFiles.beside($0, root: root) },
      write: { bytes in bytes.withUnsafeBytes { FileContents.write($0, to: STDOUT_FILENO) } == 0 })
    if loop.run(read: Self.nextBytes) != 0 { throw CommandFailure(.incomplete) }
  }

  /// Waits for bytes on standard input; returns none at its end.
  private static func nextBytes() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count >= 0 { return Array(buffer.prefix(count)) }
      guard errno == EINTR else { return [] }
    }
  }
}
