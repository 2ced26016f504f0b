enum GraphLanguage: String, ExpressibleByArgument, CaseIterable { case mermaid, dot }

struct GraphCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "graph", "Draw a pipeline's steps and the data flow between them, as Mermaid or DOT.",
    status: ExitStatus.help([
      (.done, "the graph was printed"), (.invalid, "the pipeline cannot be read or has errors"),
      (.usage, ExitStatus.usage.meaning),
    ]))

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
    let parts = pipeline.steps.indices.filter { pipeline.partVariable(of: $0) != nil }
    for steps in [pipeline.runSteps] + pipeline.loops.map(\.steps)
      + parts.map({ [$0] + pipeline.partSteps(of: $0) })
    {
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

  /// A step, or a box of steps that run several times.
  private indirect enum Entry {
    case step(Int)
    case box(title: String, [Entry])
  }

  private var entries: [Entry] {
    entries(pipeline.runSteps)
      + pipeline.loops.map {
        .box(title: "for each \($0.variable), \($0.concurrency) at once", entries($0.steps))
      }
  }

  /// The steps of a frame, with those of parts and turns in boxes.
  private func entries(_ steps: [Int]) -> [Entry] {
    let outer = steps.filter { step in
      pipeline.steps[step].turnOf.map { !steps.contains($0) } ?? true
    }
    return outer.flatMap { step -> [Entry] in
      switch pipeline.steps[step].action {
      case .forEach(let parts):
        let title = "for each \(parts.variable), \(parts.concurrency) at once"
        return [.step(step), .box(title: title, entries(Array(pipeline.partSteps(of: step))))]
      case .repeat:
        return [.step(step), .box(title: "in turns", entries(Array(pipeline.turn(of: step))))]
      default: return [.step(step)]
      }
    }
  }

  /// The lines of entries, with boxes numbered from `number`.
  private func lines(
    _ entries: [Entry], _ indent: String, _ number: inout Int, step: (Int) -> String,
    box: (Int, String) -> [String], end: String
  ) -> [String] {
    var lines: [String] = []
    for entry in entries {
      switch entry {
      case .step(let index): lines.append(indent + step(index))
      case .box(let title, let inner):
        lines += box(number, title).map { indent + $0 }
        number += 1
        lines += self.lines(inner, indent + "  ", &number, step: step, box: box, end: end)
        lines.append(indent + end)
      }
    }
    return lines
  }

  var mermaid: [String] {
    var number = 0
    var lines = ["flowchart TD"]
    lines += self.lines(
      entries, "  ", &number, step: { "s\($0)[\"\(title($0))\"]" },
      box: { ["subgraph l\($0) [\"\($1)\"]"] }, end: "end")
    for edge in edges {
      let arrow = edge.isDashed ? "-.->" : "-->"
      let label = edge.label.isEmpty ? "" : "|\(edge.label)|"
      lines.append("  s\(edge.from) \(arrow)\(label) s\(edge.to)")
    }
    return lines
  }

  var dot: [String] {
    var number = 0
    var lines = ["digraph \"\(pipeline.name)\" {", "  node [shape=box];"]
    lines += self.lines(
      entries, "  ", &number, step: { "s\($0) [label=\"\(title($0))\"];" },
      box: { ["subgraph cluster_\($0) {", "  label=\"\($1)\";"] }, end: "}")
    for edge in edges {
      let style = edge.isDashed ? ", style=dashed" : ""
      lines.append("  s\(edge.from) -> s\(edge.to) [label=\"\(edge.label)\"\(style)];")
    }
    return lines + ["}"]
  }
}
