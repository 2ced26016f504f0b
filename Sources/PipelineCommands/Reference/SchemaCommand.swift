package import ArgumentParser
import PipelineDocument

package struct SchemaCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "schema", _superCommandName: "pipeline",
    abstract: "Print the JSON Schema of pipelines, of their tests, or of scenarios, for editors.",
    discussion: """
      EXAMPLES
        pipeline schema > pipeline.schema.json
        pipeline schema test > pipeline-test.schema.json
        pipeline schema scenario > scenario.schema.json

      \(ExitStatus.help([
        (.done, "the schema is printed"), (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  /// The kinds of documents that have a schema.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case pipeline, test, scenario
  }

  @Argument(help: "Which documents the schema is of.")
  var kind: Kind = .pipeline

  package init() {}

  package func run() throws {
    let text =
      switch kind {
      case .pipeline: SchemaGenerator.pipelineSchemaText()
      case .test: SchemaGenerator.testSchemaText()
      case .scenario: SchemaGenerator.scenarioSchemaText()
      }
    Terminal.write(text, to: 1)
  }
}
