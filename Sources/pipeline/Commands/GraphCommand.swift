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

/// The steps of a pipeline and the data flow between them.
struct PipelineGraph {
  private let pipeline: Pipeline
  private let edges: [Edge]

  private struct Edge: Hashable {
    let from, to: Int
    let label: String
    let isDashed: Bool
  }

  init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
    var edges: [Edge] = []
    for (index, step) in pipeline.steps.enumerated() {
      for use in step.uses {
        let name = use.output.map { pipeline.steps[use.step].outputs[$0].name } ?? "file"
        let edge = Edge(from: use.step, to: index, label: name, isDashed: use.isCredential)
        if !edges.contains(edge) { edges.append(edge) }
      }
    }
    // The order matters even without data flow.
    for steps in [pipeline.runSteps] + pipeline.loops.map(\.steps) {
      for (first, second) in zip(steps, steps.dropFirst())
      where !edges.contains(where: { $0.from == first && $0.to == second }) {
        edges.append(Edge(from: first, to: second, label: "", isDashed: true))
      }
    }
    self.edges = edges
  }

  private func title(_ step: Int) -> String {
    "\(pipeline.steps[step].id) (\(pipeline.steps[step].kind.rawValue))"
  }

  var mermaid: [String] {
    var lines = ["flowchart TD"]
    for step in pipeline.runSteps { lines.append("  s\(step)[\"\(title(step))\"]") }
    for (index, loop) in pipeline.loops.enumerated() {
      lines.append(
        "  subgraph l\(index) [\"for each \(loop.variable), \(loop.concurrency) at once\"]")
      for step in loop.steps { lines.append("    s\(step)[\"\(title(step))\"]") }
      lines.append("  end")
    }
    for edge in edges {
      let arrow = edge.isDashed ? "-.->" : "-->"
      let label = edge.label.isEmpty ? "" : "|\(edge.label)|"
      lines.append("  s\(edge.from) \(arrow)\(label) s\(edge.to)")
    }
    return lines
  }

  var dot: [String] {
    var lines = ["digraph \"\(pipeline.name)\" {", "  node [shape=box];"]
    for step in pipeline.runSteps { lines.append("  s\(step) [label=\"\(title(step))\"];") }
    for (index, loop) in pipeline.loops.enumerated() {
      lines.append("  subgraph cluster_\(index) {")
      lines.append("    label=\"for each \(loop.variable), \(loop.concurrency) at once\";")
      for step in loop.steps { lines.append("    s\(step) [label=\"\(title(step))\"];") }
      lines.append("  }")
    }
    for edge in edges {
      let style = edge.isDashed ? ", style=dashed" : ""
      lines.append("  s\(edge.from) -> s\(edge.to) [label=\"\(edge.label)\"\(style)];")
    }
    return lines + ["}"]
  }
}
