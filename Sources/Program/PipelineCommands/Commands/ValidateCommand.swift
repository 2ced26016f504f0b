struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "validate", "Check pipelines, or check YAML and JSON files against any JSON Schema.",
    status: ExitStatus.checking("a file is invalid"))

  enum Denied: String, ExpressibleByArgument, CaseIterable { case warnings }

  @Argument(
    help: "Files, folders or quoted patterns to check; - is standard input.", completion: .file())
  var files: [String]

  @Option(help: "Report format.") var format: FindingFormat = .text
  @Flag(help: "Apply the fixes that are certain, and report what remains.") var fix = false
  @Option(help: "Fail on warnings too.") var deny: Denied?
  @OptionGroup var reach: RootOption

  @Flag(
    help:
      "List the hosts, files and secrets that each pipeline uses, and where each secret is sent (text or json)."
  ) var audit = false

  @Option(
    help: .help("JSON Schema (2020-12, 2019-09, draft 7, 6 or 4) to check files against.", "file"))
  var schema: String?

  @Option(
    name: .customLong("ref"),
    help: .help(
      "Resolve the schema's references: a URI and its file, or a URI prefix and its folder.",
      "uri=file-or-dir")) var references: [String] = []

  @Flag(help: "Treat `format` in the schema as an assertion, not an annotation.")
  var formatAssertion = false

  func validate() throws {
    if schema == nil, formatAssertion || !references.isEmpty {
      throw ValidationError("--ref and --format-assertion need --schema.")
    }
    if audit, schema != nil || fix {
      throw ValidationError("--audit cannot be combined with --schema or --fix.")
    }
    if audit, format != .text, format != .json {
      throw ValidationError("--audit needs --format text or json.")
    }
    if schema != nil, fix { throw ValidationError("--fix cannot be combined with --schema.") }
    if fix, files.contains("-") { throw ValidationError("--fix needs files, not standard input.") }
  }

  func run() throws {
    if audit {
      let files = try FileSelection(files).files
      return try AuditReport(root: reach.folder).run(files, as: format == .json ? .json : .text)
    }
    guard let schema else {
      return try Self.check(
        files, appliesFixes: fix, format: format, deny: deny, root: reach.folder)
    }
    let validation = SchemaValidation(
      schema: schema, references: references, assertsFormat: formatAssertion, root: reach.folder)
    try Self.end(validation.run(files), format, deny)
  }

  package static func check(_ files: [String]) throws(CommandFailure) {
    try check(files, appliesFixes: false, format: .text, deny: nil)
  }

  private static func check(
    _ files: [String], appliesFixes: Bool, format: FindingFormat, deny: Denied?, root: String? = nil
  ) throws(CommandFailure) {
    let selection = try FileSelection(files)
    let validation = PipelineValidation(appliesFixes: appliesFixes, root: root)
    try end(validation.run(selection.files), format, deny)
  }

  private static func end(_ report: FindingReport, _ format: FindingFormat, _ deny: Denied?)
    throws(CommandFailure)
  {
    report.print(as: format, deniesWarnings: deny == .warnings)
    let fails = report.errors > 0 || deny == .warnings && report.warnings > 0
    if fails { throw CommandFailure(.incomplete) }
  }
}
