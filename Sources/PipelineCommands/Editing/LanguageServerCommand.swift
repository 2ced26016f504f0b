package import ArgumentParser
import PipelineDocument
import PipelineLanguageServer

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package struct LanguageServerCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "lsp", _superCommandName: "pipeline",
    abstract: "Run a language server over standard input and output (LSP).",
    discussion: """
      Gives an editor what the checker knows: diagnostics as you type, completion of keys, values and names inside ${{ }}, \
      types and documentation on hover, go to definition, references, rename, an outline, and quick fixes. The editor \
      starts it. It reads the files that a pipeline names with 'use', writes no files, and opens no connections.

      EXAMPLES
        pipeline lsp                                    the command to configure in your editor

        Neovim 0.11, in init.lua:
          vim.lsp.config.pipeline = {
            cmd = { "pipeline", "lsp" }, filetypes = { "yaml" }, root_markers = { "Pipelines", ".git" },
          }
          vim.lsp.enable("pipeline")

        Helix, in languages.toml:
          [language-server.pipeline]
          command = "pipeline"
          args = ["lsp"]
          [[language]]
          name = "yaml"
          language-servers = ["pipeline"]

      \(ExitStatus.help([
        (.done, "the editor sent 'shutdown', then 'exit'"),
        (.incomplete, "the editor sent 'exit' without 'shutdown', or disconnected"),
        (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  @Flag(
    name: .customLong("stdio"),
    help: "Use standard input and output (the default; for editors that pass it).")
  var usesStandardStreams = false

  @OptionGroup var reach: RootOption

  package init() {}

  package func run() throws {
    // A failed write shows that the editor has gone, so the signal is not needed.
    signal(SIGPIPE, SIG_IGN)
    let root = reach.folder
    var session = LanguageServerSession(
      version: Version.current, files: { DocumentFiles.beside($0, root: root) })
    let status = try session.run(read: Self.read, write: Self.write)
    if status != 0 { throw CommandFailure(.incomplete) }
  }

  /// Waits for bytes on standard input; returns none at its end.
  private static func read() throws(CommandFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { readBytes($0) }
      if count >= 0 { return Array(buffer.prefix(count)) }
      guard errno == EINTR else { return [] }
    }
  }

  private static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { writeBytes($0) }
      if count > 0 {
        offset += count
      } else if errno != EINTR {
        // The editor has closed its end.
        throw CommandFailure(.incomplete)
      }
    }
  }

  private static func readBytes(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
    #endif
  }

  private static func writeBytes(_ buffer: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
    #else
      Darwin.write(STDOUT_FILENO, buffer.baseAddress, buffer.count)
    #endif
  }
}
