struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "verify", "Prove that crashes and lost responses are harmless, or show a counterexample.",
    status: ExitStatus.help([
      (.done, "every pipeline is certified; with --accept-assumptions, possibly under assumptions"),
      (.incomplete, "there is a counterexample, or something was not tried or never reached"),
      (.unproven, "there is no counterexample, but a certificate relies on unverified assumptions"),
      (.invalid, "a file cannot be read or has errors, or an example is missing"),
      (.environment, "the report cannot be written"), (.usage, ExitStatus.usage.meaning),
    ]))

  enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, html }

  @Argument(
    help: "Pipelines, quoted patterns, or folders that contain *.yaml files.",
    completion: .file(extensions: ["yaml", "yml"])) var files: [String]

  @Option(
    help: .help(
      "Try at most this many pairs of faults; nothing is certified below the default.", "count"))
  var pairs = CrashVerifier.usualPairs

  @Flag(help: "Accept unverified assumptions about the server.") var acceptAssumptions = false
  @OptionGroup var reach: RootOption
  @Option(help: "Report format.") var format: OutputFormat = .text

  @Option(help: .help("Write the report to this file instead of standard output.", "file"))
  var output: String?

  func validate() throws { if pairs < 0 { throw ValidationError("--pairs must not be negative.") } }

  func run() throws {
    let selection = try FileSelection(files, inFolders: "**/*.{yaml,yml}", holding: "pipeline")
    let documents = try load(selection.files)
    var results: [CrashSafety] = []
    for (file, pipeline) in documents {
      do throws(ExampleMissing) {
        results.append(try CrashVerifier(pipeline, file: file, pairLimit: pairs).result())
      } catch { throw CommandFailure.invalid("\(error.location): \(error.message); \(error.help)") }
    }
    let report = CrashSafetyReport(results, acceptsAssumptions: acceptAssumptions)
    let text =
      switch format {
      case .text: report.text()
      case .json: report.json()
      case .sarif: report.sarif(version: Version.current)
      case .html: report.html()
      }
    try FileContents.write(text, to: output ?? "-")
    switch report.verdict {
    case .certified: return
    case .assumed:
      guard !acceptAssumptions else { return }
      throw CommandFailure(
        .unproven,
        "a certificate relies on unverified assumptions; --accept-assumptions accepts them")
    case .incomplete, .unsafe: throw CommandFailure(.incomplete)
    }
  }

  /// Whether a document is a pipeline, and not a test, a scenario or a file of definitions.
  private static func isPipeline(_ bytes: [UInt8]) -> Bool {
    let others = ["test:", "scenario:", "definitions:"].map { Array($0.utf8) }
    return !bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      others.contains { line.starts(with: $0) }
    }
  }

  /// Loads all pipelines; errors in any of them are reported before one is tried.
  private func load(_ files: [String]) throws(CommandFailure) -> [(String, SimulatedPipeline)] {
    var sources: [String: String] = [:]
    var diagnostics: [Diagnostic] = []
    var pipelines: [(String, SimulatedPipeline)] = []
    var count = 0
    for file in files {
      let bytes = try FileContents.argument(file)
      guard files.count == 1 || Self.isPipeline(bytes) else { continue }
      count += 1
      sources[file] = String(decoding: bytes, as: UTF8.self)
      let result = PipelineDocument.load(
        bytes: bytes, file: file, files: .beside(file, root: reach.folder))
      sources.merge(result.usedSources) { first, _ in first }
      diagnostics += result.diagnostics.filter { $0.severity == .error }
      if let pipeline = result.simulated { pipelines.append((file, pipeline)) }
    }
    DiagnosticText.show(diagnostics, sources)
    guard pipelines.count == count else { throw CommandFailure(.invalid) }
    guard count > 0 else { throw CommandFailure.invalid("no file contains a pipeline") }
    return pipelines
  }
}
