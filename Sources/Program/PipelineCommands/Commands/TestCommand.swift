struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "test", "Run pipelines against scripted servers, in virtual time and without a network.",
    status: ExitStatus.help([
      (.done, "every case passed"), (.incomplete, "a case failed"),
      (.invalid, "a file cannot be read or has errors"), (.usage, ExitStatus.usage.meaning),
    ]))

  enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json, junit }

  @Argument(
    help: "Test files, quoted patterns, or folders that contain *.test.yaml files.",
    completion: .file(extensions: ["yaml", "yml"])) var files: [String]

  @Option(help: .help("Run only cases whose name contains this text.", "text")) var filter = ""
  @OptionGroup var reach: RootOption
  @Option(help: "Report format.") var format: OutputFormat = .text

  func run() throws {
    let selection = try FileSelection(files, inFolders: "**/*.test.{yaml,yml}", holding: "test")
    let documents = try load(selection.files)
    let results = documents.map { document in
      TestReport.File(name: document.file, results: TestRunner(document).results(filter: filter))
    }
    guard !results.allSatisfy(\.results.isEmpty) else {
      throw CommandFailure.invalid("no case has a name that contains '\(filter)'")
    }
    let tried = results.filter { !$0.results.isEmpty }
    let report = TestReport(tried)
    let text =
      switch format {
      case .text: report.text()
      case .json: EncodedJSON.lines(TestReportForm(tried))
      case .junit: report.junit()
      }
    Terminal.write(text, to: 1)
    if !report.isPassed { throw CommandFailure(.incomplete) }
  }

  /// All tests; errors in any file are reported before the first test runs.
  private func load(_ files: [String]) throws(CommandFailure) -> [TestDocument] {
    var sources: [String: String] = [:]
    var diagnostics: [Diagnostic] = []
    var documents: [TestDocument] = []
    for file in files {
      let bytes = try FileContents.argument(file)
      sources[file] = String(decoding: bytes, as: UTF8.self)
      let result = TestDocument.load(
        bytes: bytes, file: file, files: .beside(file, root: reach.folder))
      sources.merge(result.sources) { first, _ in first }
      diagnostics += result.diagnostics
      if let document = result.document { documents.append(document) }
    }
    DiagnosticText.show(diagnostics, sources)
    guard documents.count == files.count else { throw CommandFailure(.invalid) }
    return documents
  }
}
