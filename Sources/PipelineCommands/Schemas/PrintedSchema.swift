import PipelineAuthoring
import PipelineSimulator

package struct PrintedSchema: Sendable {
  package let name: String
  /// What it describes: a kind of document, or the command lines that print it.
  let subject: String
  /// The command lines that print what it describes; none if that is a document.
  package let commands: [String]
  package let text: @Sendable () -> String

  package static let all: [PrintedSchema] =
    [
      PrintedSchema(document: "pipeline", "pipelines") { SchemaGenerator.pipelineSchemaText() },
      PrintedSchema(document: "test", "tests of pipelines (*.test.yaml)") {
        SchemaGenerator.testSchemaText()
      },
      PrintedSchema(document: "scenario", "scenarios (*.scenario.yaml)") {
        SchemaGenerator.scenarioSchemaText()
      },
    ] + OutputSchema.all.map(PrintedSchema.init) + [
      PrintedSchema(output: "simulation-report", "simulate --format json") {
        ReportSchema.simulationReport.text
      },
      PrintedSchema(output: "verification", "verify --format json") {
        ReportSchema.verification.text
      },
    ]

  private init(document name: String, _ subject: String, _ text: @escaping @Sendable () -> String) {
    (self.name, self.subject, self.commands, self.text) = (name, subject, [], text)
  }

  private init(output name: String, _ command: String, _ text: @escaping @Sendable () -> String) {
    (self.name, self.subject, self.commands, self.text) = (name, command, [command], text)
  }

  private init(_ output: OutputSchema) {
    name = output.name
    subject = output.commands.joined(separator: ", ")
    commands = output.commands
    text = { output.text }
  }

  static var list: String {
    let width = all.map(\.name.count).max() ?? 0
    return all.map { schema in
      let gap = String(repeating: " ", count: width - schema.name.count + 2)
      return "\(schema.name)\(gap)\(schema.subject)\n"
    }.joined()
  }
}
