import ArgumentParser
import Foundation
import PipelineLanguageServer

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serve editors over standard input and output (Language Server Protocol).",
    discussion: """
      Gives an editor what the checker knows: diagnostics while you write, completion of keys, values and of names inside
      ${{ }}, types and documentation under the cursor, go to definition, references, rename, an outline, and fixes. Editors
      start it themselves; it reads no file and opens no connection.

      EXAMPLES
        pipeline lsp                                    what an editor is told to start

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
        (.done, "the editor said 'shutdown', then 'exit'"),
        (.incomplete, "the editor said 'exit' without 'shutdown', or went away"),
        (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  /// Many editors pass it to every server; standard input and output are all there is.
  @Flag(name: .customLong("stdio"), help: "Use standard input and output, as is done anyway.")
  var usesStandardStreams = false

  func run() throws {
    var session = LanguageServerSession(version: Version.current)
    let status = try session.run(
      read: { Array(FileHandle.standardInput.availableData) },
      write: { try FileHandle.standardOutput.write(contentsOf: Data($0)) })
    if status != 0 { throw ExitCode(status) }
  }
}
