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
      server that is derived from the file. The process is ended at each point of the run, each request's \
      outcome is left unknown in three ways, and pairs of these are tried. Of each step the certificate says \
      what makes a repeat safe and what may stay behind. A creating step that takes effect twice, an item \
      that is lost, and a run that cannot end are counter-examples, told as timelines.

      Where the server's answer to a step cannot be made up from the file, give it an `example:`.

      EXAMPLES
        pipeline verify Pipelines/photos.yaml
        pipeline verify Pipelines --pairs 0
        pipeline verify photos.yaml --format html --output certificate.html

      \(ExitStatus.help([
        (.done, "every pipeline is certified"), (.incomplete, "there is a counter-example"),
        (.invalid, "a file cannot be read, is wrong, or an example is missing"),
        (.environment, "the report cannot be written"), (.usage, ExitStatus.usage.meaning),
      ]))
      """)

  /// The form of the report.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, json, sarif, html
  }

  @Argument(
    help: "Pipelines, quoted patterns, or folders that hold *.yaml files.",
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(
    help: ArgumentHelp("Pairs of disturbances that are tried at most.", valueName: "count"))
  var pairs = 2000

  @OptionGroup var reach: RootOption

  @Option(help: "Form of the report.")
  var format: Form = .text

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
    let report = CrashSafetyReport(results)
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
    if !report.isCertified { throw CommandFailure(.incomplete) }
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
