struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "schema", "Print the JSON Schema of a document, or of what a command prints as JSON.",
    """
    EXAMPLES
      pipeline schema > pipeline.schema.json
      pipeline schema test > pipeline-test.schema.json
      pipeline schema --list  # all names, and what they describe
      pipeline schema run > run.schema.json
      pipeline status --format json | pipeline validate --schema run.schema.json -

    \(ExitStatus.help([
        (.done, "the schema or the list was printed"), (.usage, ExitStatus.usage.meaning),
      ]))
    """)

  @Argument(
    help: "The name of a schema (default: pipeline).",
    completion: .list(PrintedSchema.all.map(\.name)))
  var name: String?

  @Flag(help: "List all schemas with what they describe.") var list = false

  private var schema: PrintedSchema? { PrintedSchema.all.first { $0.name == name ?? "pipeline" } }

  func validate() throws {
    if list, name != nil { throw ValidationError("--list takes no name.") }
    if schema == nil, let name {
      let nearest = NearestWord.nearest(to: name, among: PrintedSchema.all.map(\.name))
        .map { "; did you mean '\($0)'?" }
      throw ValidationError(
        "no schema is called '\(name)'\(nearest ?? ""); `pipeline schema --list` names them.")
    }
  }

  func run() throws {
    Terminal.write(list ? PrintedSchema.list : schema?.text() ?? "", to: 1)
  }
}
