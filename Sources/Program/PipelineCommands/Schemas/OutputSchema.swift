import PipelineAuthoring

/// A command's JSON output: a ``Form``, or data for output derived from stored or simulated events; the source of its JSON Schema.
package struct OutputSchema: Sendable {
  package let name: String
  let title: String
  /// What one text, or each line, is.
  let summary: String
  /// The command lines that print it, without `pipeline`; the last option is the one that asks for JSON.
  package let commands: [String]
  /// Whether each line is a text of its own (NDJSON).
  package let isLines: Bool
  let shape: OutputShape

  init(
    _ name: String, title: String, _ summary: String, by commands: [String], isLines: Bool = false,
    _ shape: OutputShape
  ) {
    (self.name, self.title, self.summary, self.commands) = (name, title, summary, commands)
    (self.isLines, self.shape) = (isLines, shape)
  }

  package var text: String {
    var writer = JSONWriter()
    writer.object {
      $0.string("$schema", "https://json-schema.org/draft/2020-12/schema")
      $0.string("$id", "https://pipeline.invalid/schemas/output/\(name).schema.json")
      $0.string("title", title)
      let printed = commands.map { "`pipeline \($0)`" }.joined(separator: ", ")
      let verb = isLines ? "A line of the output of" : "The output of"
      $0.string("description", "\(verb) \(printed). \(summary)")
      shape.write(to: &$0)
    }
    return writer.indentedText + "\n"
  }
}

extension EncodedJSON {
  /// Lines of at most 100 columns, with a line feed at the end.
  package static func lines(_ value: some Encodable) -> String {
    let text = of(value)
    return ((try? Value(json: text)).map(JSONText.render) ?? text) + "\n"
  }
}

package struct PrintedSchema: Sendable {
  package let name: String
  /// Its subject: a kind of document, or the command lines that print it.
  let subject: String
  /// The command lines that print its subject; none if that is a document.
  package let commands: [String]
  package let text: @Sendable () -> String

  package static let all: [PrintedSchema] =
    [
      PrintedSchema("pipeline", subject: "pipelines", SchemaGenerator.pipelineSchemaText),
      PrintedSchema(
        "test", subject: "tests of pipelines (*.test.yaml)", SchemaGenerator.testSchemaText),
      PrintedSchema(
        "scenario", subject: "scenarios (*.scenario.yaml)", SchemaGenerator.scenarioSchemaText),
    ]
    + OutputSchema.all.map { output in
      PrintedSchema(output.name, commands: output.commands) { output.text }
    } + [
      PrintedSchema("simulation-report", commands: ["simulate --format json"]) {
        ReportSchema.simulationReport.text
      },
      PrintedSchema("verification", commands: ["verify --format json"]) {
        ReportSchema.verification.text
      },
    ]

  private init(
    _ name: String, subject: String? = nil, commands: [String] = [],
    _ text: @escaping @Sendable () -> String
  ) {
    (self.name, self.commands, self.text) = (name, commands, text)
    self.subject = subject ?? commands.joined(separator: ", ")
  }

  static var list: String {
    let width = all.map(\.name.count).max() ?? 0
    return all.map { schema in
      let gap = String(repeating: " ", count: width - schema.name.count + 2)
      return "\(schema.name)\(gap)\(schema.subject)\n"
    }.joined()
  }
}
