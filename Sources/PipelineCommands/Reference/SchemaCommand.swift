package import ArgumentParser
import PipelineAuthoring
import PipelineDocument
import PipelineSimulator

package struct SchemaCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "schema", _superCommandName: "pipeline",
    abstract: "Print the JSON Schema of a document or report format.",
    discussion: """
      EXAMPLES
        pipeline schema > pipeline.schema.json
        pipeline schema test > pipeline-test.schema.json
        pipeline schema scenario > scenario.schema.json
        pipeline schema simulation-report    the output of simulate --format json
        pipeline schema verification         the output of verify --format json

      \(ExitStatus.help([
        (.done, "the schema was printed"), (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  /// The formats that have a schema.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case pipeline, test, scenario
    case simulationReport = "simulation-report"
    case verification
  }

  @Argument(help: "Format whose schema to print.")
  var kind: Kind = .pipeline

  package init() {}

  package func run() throws {
    let text =
      switch kind {
      case .pipeline: SchemaGenerator.pipelineSchemaText()
      case .test: SchemaGenerator.testSchemaText()
      case .scenario: SchemaGenerator.scenarioSchemaText()
      case .simulationReport: ReportSchema.simulationReport.text
      case .verification: ReportSchema.verification.text
      }
    Terminal.write(text, to: 1)
  }
}
