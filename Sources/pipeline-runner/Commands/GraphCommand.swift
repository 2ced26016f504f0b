import ArgumentParser
import PipelineCommands
import PipelineCore
import PipelineDocument

/// Languages that graphs are drawn in.
enum GraphLanguage: String, ExpressibleByArgument, CaseIterable {
  case mermaid, dot
}

struct GraphCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draw a pipeline's steps and what flows between them, as Mermaid or DOT.",
    discussion: """
      Solid edges are data that a result is made from: when it dies, the result dies too. Dashed edges are credentials and \
      the order of steps.

      EXAMPLES
        pipeline graph photos.yaml
        pipeline graph photos.yaml --as dot | dot -Tsvg > photos.svg

      \(ExitStatus.help([
        (.done, "the graph is printed"), (.invalid, "the pipeline cannot be read or has errors"),
        (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  @Argument(help: "The pipeline's YAML file.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Option(name: .customLong("as"), help: "Language of the graph.")
  var language: GraphLanguage = .mermaid

  @OptionGroup var reach: RootOption

  func run() async throws {
    let graph = PipelineGraph(try Definition.load(file, root: reach.folder).pipeline)
    (language == .mermaid ? graph.mermaid : graph.dot).forEach(Terminal.print)
  }
}
