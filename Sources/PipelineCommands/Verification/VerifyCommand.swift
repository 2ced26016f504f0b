package import ArgumentParser
import PipelineCore
import PipelineDocument
import PipelineSimulator

package struct VerifyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify", _superCommandName: "pipeline",
    abstract:
      "Show that ends of the process and lost answers do a pipeline no harm, or how they do.",
    discussion: """
      The engine itself runs the pipeline with one and with two items, on a simulated disk and against a \
      server that is derived from the file. The process is ended at each point of the run; each request's \
      answer is lost, comes too late, cannot be read, or refuses what was carried out; and pairs of these are \
      tried. Of each step the certificate says what makes a repeat safe and what may stay behind. A creating \
      step that takes effect twice, an item that is lost, and a run that cannot end are counter-examples, told \
      as timelines.

      What the author says of the server and nothing here can show ('effect: repeatable' of a POST, a probe \
      that is never late, 'refused: true', a key of the author's own that two items or two runs can share) is \
      listed as the author's word. A certificate that rests on it is \
      none, and the command ends with 5, unless --accept-word says that you know the server to be so.

      Where the server's answer to a step cannot be made up from the file, give it an `example:`.

      EXAMPLES
        pipeline verify Pipelines/photos.yaml
        pipeline verify Pipelines --accept-word
        pipeline verify photos.yaml --format html --output certificate.html

      \(ExitStatus.help([
        (.done, "every pipeline is certified; with --accept-word also on the author's word"),
        (.incomplete, "there is a counter-example, or something was not tried or never reached"),
        (.unproven, "there is none, and a certificate rests on the author's word"),
        (.invalid, "a file cannot be read, is wrong, or an example is missing"),
        (.environment, "the report cannot be written"), (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  /// The form of the report.
  enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, html
  }

  @Argument(
    help: "Pipelines, quoted patterns, or folders that hold *.yaml files.",
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Pairs of disturbances that are tried at most; with fewer than by default nothing is certified.",
      valueName: "count"))
  var pairs = CrashVerifier.usualPairs

  @Flag(help: "Take what the author says of the server for granted.")
  var acceptWord = false

  @OptionGroup var reach: RootOption

  @Option(help: "Form of the report.")
  var format: OutputFormat = .text

  @Option(
    help: ArgumentHelp("File for the report instead of the standard output.", valueName: "file"))
  var output: String?

  package init() {}

  package func validate() throws {
    if pairs < 0 { throw ValidationError("--pairs must be 0 or more") }
  }

  package func run() throws {
    let selection = try FileSelection(files, inFolders: "**/*.{yaml,yml}", holding: "pipeline")
    let documents = try load(selection.files)
    var results: [CrashSafety] = []
    for (file, pipeline) in documents {
      do throws(ExampleMissing) {
        results.append(try CrashVerifier(pipeline, file: file, pairLimit: pairs).result())
      } catch {
        throw CommandFailure(.invalid, "\(error.location): \(error.message); \(error.help)")
      }
    }
    let report = CrashSafetyReport(results, acceptsWord: acceptWord)
    let text =
      switch format {
      case .text: report.text()
      case .json: report.json()
      case .sarif: report.sarif(version: Version.current)
      case .html: report.html()
      }
    if let output {
      try FileContents.write(text, to: output)
    } else {
      Terminal.write(text, to: 1)
    }
    switch report.verdict {
    case .certified: return
    case .word:
      guard !acceptWord else { return }
      throw CommandFailure(
        .unproven, "a certificate rests on the author's word; --accept-word takes it for granted")
    case .incomplete, .unsafe: throw CommandFailure(.incomplete)
    }
  }

  /// Whether a document among several is no test, no scenario and no file of definitions.
  private static func isPipeline(_ bytes: [UInt8]) -> Bool {
    let others = ["test:", "scenario:", "definitions:"].map { Array($0.utf8) }
    return !bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      others.contains { line.starts(with: $0) }
    }
  }

  /// All pipelines; what is wrong with any of them is said before one is tried.
  private func load(_ files: [String]) throws(CommandFailure) -> [(String, Pipeline)] {
    var sources: [String: String] = [:]
    var diagnostics: [Diagnostic] = []
    var pipelines: [(String, Pipeline)] = []
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
      if let pipeline = result.pipeline { pipelines.append((file, pipeline)) }
    }
    let found = diagnostics.sortedByPlace()
    if !found.isEmpty { Terminal.write(DiagnosticText(sources: sources).render(found), to: 2) }
    guard pipelines.count == count else { throw CommandFailure(.invalid) }
    guard count > 0 else { throw CommandFailure(.invalid, "no file holds a pipeline") }
    return pipelines
  }
}
