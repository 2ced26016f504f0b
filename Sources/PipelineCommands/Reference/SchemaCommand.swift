package import ArgumentParser
import PipelineDocument

package struct SchemaCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "schema", _superCommandName: "pipeline",
    abstract: "Print the JSON Schema of pipelines, for editors.",
    discussion: """
      EXAMPLES
        pipeline schema > pipeline.schema.json

      \(ExitStatus.help([
        (.done, "the schema is printed"), (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  package init() {}

  package func run() throws { Terminal.write(SchemaGenerator.pipelineSchemaText(), to: 1) }
}
