struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "schema", "Print the JSON Schema of a document, or of a command's JSON output.",
    status: ExitStatus.help([
      (.done, "the schema or the list was printed"), (.usage, ExitStatus.usage.meaning),
    ]))

  @Argument(
    help: "The name of a schema (default: pipeline).",
    completion: .list(PrintedSchema.all.map(\.name)))
  var name: String?

  @Flag(help: "List all schemas with descriptions.") var list = false

  private var schema: PrintedSchema? { PrintedSchema.all.first { $0.name == name ?? "pipeline" } }

  func validate() throws {
    if list, name != nil { throw ValidationError("--list cannot be combined with a name.") }
    if schema == nil, let name {
      let nearest = NearestWord.nearest(to: name, among: PrintedSchema.all.map(\.name))
        .map { "; did you mean '\($0)'?" }
      throw ValidationError(
        "no schema is called '\(name)'\(nearest ?? ""); `pipeline schema --list` names them.")
    }
  }

  func run() throws { Terminal.write(list ? PrintedSchema.list : schema?.text() ?? "", to: 1) }
}
