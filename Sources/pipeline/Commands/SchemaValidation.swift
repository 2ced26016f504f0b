import Foundation
import JSONSchema
import PipelineDocument

/// `pipeline validate --schema`: any documents against any schema.
struct SchemaValidation {
  let schema: String
  let references: [String]
  let assertsFormat: Bool

  private struct Form: Encodable {
    let file: String
    let line: Int
    let column: Int
    let message: String
    let instance: String
    let keyword: String
    let schema: String
    let suggestion: String?
  }

  func run(_ files: [String], _ format: ReportFormat) throws {
    let compiled = try compile()
    var findings: [Form] = []
    for file in files {
      let document = try Self.document(file)
      for finding in compiled.validate(document.root).findings {
        findings.append(
          Form(
            file: file, line: finding.range?.start.line ?? 1,
            column: finding.range?.start.column ?? 1, message: finding.message,
            instance: finding.instancePointer.description, keyword: finding.keyword,
            schema: finding.schemaLocation, suggestion: finding.suggestion?.description))
      }
    }
    if format == .json {
      Terminal.print(JSONText.of(findings))
    } else {
      for finding in findings {
        let code = finding.keyword.isEmpty ? "limit" : finding.keyword
        Terminal.print(
          "\(finding.file):\(finding.line):\(finding.column): error[\(code)]: \(finding.message)")
        if let suggestion = finding.suggestion { Terminal.print("  help: \(suggestion)") }
      }
    }
    if !findings.isEmpty { throw CommandFailure(.incomplete) }
  }

  private func compile() throws -> Schema {
    let document = try Self.document(schema)
    let resolver = try resolver()
    let base = URL(filePath: StateFolder.absolute(schema)).absoluteString
    do throws(SchemaError) {
      return try Schema.compile(
        document.root, baseURI: base, options: Schema.Options(assertsFormat: assertsFormat),
        resolver: resolver)
    } catch {
      let lines = error.issues.map { issue in
        let place = issue.range.map { "\($0.start)" } ?? "1:1"
        let file = issue.documentURI == base ? schema : issue.documentURI
        return "\(file):\(place): \(issue.message)"
      }
      throw CommandFailure(.invalid, "the schema cannot be used:\n" + lines.joined(separator: "\n"))
    }
  }

  /// Looks references up in what `--ref` names, and beside the schema for `file:` URIs.
  private func resolver() throws -> Schema.Resolver {
    var mappings: [(uri: String, path: String, isFolder: Bool)] = []
    for reference in references {
      guard let equals = reference.lastIndex(of: "=") else {
        throw CommandFailure(.usage, "--ref '\(reference)': expected URI=FILE-or-DIR")
      }
      let path = String(reference[reference.index(after: equals)...])
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw CommandFailure(.invalid, "--ref: there is no file or folder '\(path)'")
      }
      mappings.append((String(reference[..<equals]), path, isFolder.boolValue))
    }
    let known = mappings
    return { uri in
      if uri.hasPrefix("file://"), let path = URL(string: uri)?.path {
        return (try? Self.document(path))?.root
      }
      for mapping in known {
        if !mapping.isFolder, uri == mapping.uri { return (try? Self.document(mapping.path))?.root }
        if mapping.isFolder, uri.hasPrefix(mapping.uri) {
          let rest = uri.dropFirst(mapping.uri.count).drop { $0 == "/" }
          return (try? Self.document(mapping.path + "/" + rest))?.root
        }
      }
      return nil
    }
  }

  private static func document(_ file: String) throws(CommandFailure) -> SchemaDocument {
    do {
      return try SchemaDocument(bytes: try ValidateCommand.read(file), file: file)
    } catch let problem as SchemaDocument.Problem {
      throw CommandFailure(.invalid, problem.description)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.invalid, "\(error)")
    }
  }
}
