import ArgumentParser
import Foundation
import PipelineDocument

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check pipelines, or any YAML or JSON files against any JSON Schema.",
    discussion: """
      Findings are printed as file:line:column.

      EXAMPLES
        pipeline validate Pipelines/*.yaml
        pipeline validate --schema openapi.schema.json api.yaml
        pipeline validate --schema a.json --ref https://example.com/=schemas/ --format-assertion data.json

      \(ExitStatus.checking("a file is not valid"))
      """)

  @Argument(help: "Files to check; - is standard input.", completion: .file())
  var files: [String]

  @Option(help: ArgumentHelp("JSON Schema (2020-12) to check against instead.", valueName: "file"))
  var schema: String?

  @Option(
    name: .customLong("ref"),
    help: ArgumentHelp(
      "Where the schema's references lead: a URI and its file, or a prefix and its folder.",
      valueName: "uri=file-or-dir"))
  var references: [String] = []

  @Flag(help: "Check `format` too, not only note it.")
  var formatAssertion = false

  @OptionGroup var form: FormatOptions

  func validate() throws {
    if schema == nil, formatAssertion || !references.isEmpty {
      throw ValidationError("--ref and --format-assertion belong to --schema.")
    }
  }

  func run() async throws {
    if let schema {
      try SchemaValidation(
        schema: schema, references: references, assertsFormat: formatAssertion
      ).run(files, form.format)
      return
    }
    var all: [Diagnostic] = []
    var sources: [String: String] = [:]
    for file in files {
      let bytes = try Self.read(file)
      sources[file] = String(decoding: bytes, as: UTF8.self)
      all += PipelineDocument.load(bytes: bytes, file: file).diagnostics
    }
    if form.format == .json {
      Terminal.print(DiagnosticJSON().render(all))
    } else if !all.isEmpty {
      Terminal.print(DiagnosticText(sources: sources).render(all))
    }
    if all.contains(where: { $0.severity == .error }) { throw CommandFailure(.incomplete) }
  }

  /// The bytes of a file, or of standard input for `-`.
  static func read(_ file: String) throws(CommandFailure) -> [UInt8] {
    if file == "-" { return [UInt8](FileHandle.standardInput.readDataToEndOfFile()) }
    do throws(FileContents.Problem) {
      return try FileContents.bytes(file)
    } catch {
      throw CommandFailure(.invalid, "cannot read '\(file)': \(error.reason)")
    }
  }
}
