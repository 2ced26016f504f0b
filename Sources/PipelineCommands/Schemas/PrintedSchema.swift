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
      PrintedSchema("pipeline", subject: "pipelines") { SchemaGenerator.pipelineSchemaText() },
      PrintedSchema("test", subject: "tests of pipelines (*.test.yaml)") {
        SchemaGenerator.testSchemaText()
      },
      PrintedSchema("scenario", subject: "scenarios (*.scenario.yaml)") {
        SchemaGenerator.scenarioSchemaText()
      },
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
