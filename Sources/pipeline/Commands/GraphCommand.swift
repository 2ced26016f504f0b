import ArgumentParser
import PipelineCommands
import PipelineCore
import PipelineDocument

enum GraphLanguage: String, ExpressibleByArgument, CaseIterable { case mermaid, dot }

struct GraphCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "graph", "Draw a pipeline's steps and the data flow between them, as Mermaid or DOT.",
    """
    A solid edge is data that a result is made from: when the data expires, the result expires too. A dashed edge is a \
    credential, or only the order of steps.

    EXAMPLES
      pipeline graph photos.yaml
      pipeline graph photos.yaml --as dot | dot -Tsvg > photos.svg

    \(ExitStatus.help([
        (.done, "the graph was printed"), (.invalid, "the pipeline cannot be read or has errors"),
        (.usage, ExitStatus.usage.meaning),
      ]))
    """)

  @Argument(help: "The pipeline's YAML file.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Option(name: .customLong("as"), help: "Output language.") var language: GraphLanguage = .mermaid
  @OptionGroup var reach: RootOption

  func run() async throws {
    let graph = PipelineGraph(try Definition.load(file, root: reach.folder).pipeline)
    (language == .mermaid ? graph.mermaid : graph.dot).forEach(Terminal.print)
  }
}
