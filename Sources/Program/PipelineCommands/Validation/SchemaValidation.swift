import JSONSchema
import YAMLSyntax

/// `pipeline validate --schema`: any documents against any schema.
struct SchemaValidation {
  let schema: String
  let references: [String]
  let assertsFormat: Bool
  /// The folder that must contain files the schema refers to by `file:` URI; `nil` is the schema's own.
  let root: String?

  func run(_ files: [String]) throws(CommandFailure) -> FindingReport {
    let compiled = try compile()
    var report = FindingReport(files: files)
    for file in files {
      let bytes = try FileContents.argument(file)
      report.sources[file] = String(decoding: bytes, as: UTF8.self)
      let document = try Self.document(bytes, file)
      report.diagnostics += document.roots.flatMap { compiled.validate($0).findings }
        .map { diagnostic($0, in: file) }.sortedByPlace()
    }
    return report
  }

  private func diagnostic(_ finding: Finding, in file: String) -> Diagnostic {
    let start = finding.range?.start ?? SourcePosition(line: 1, column: 1)
    return Diagnostic(
      .schemaViolation, finding.message,
      at: TextRange(file: file, start: start, end: finding.range?.end ?? start),
      help: finding.suggestion?.description,
      properties: [
        .init("keyword", finding.keyword), .init("instance", finding.instancePointer.description),
        .init("schema", finding.schemaLocation),
      ].filter { !$0.value.isEmpty })
  }

  private func compile() throws(CommandFailure) -> Schema {
    let document = try Self.document(schema)
    let resolver = try resolver()
    let base = URL(filePath: schema).standardizedFileURL.absoluteString
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
      throw CommandFailure(.invalid, "the schema cannot be used:", details: lines)
    }
  }

  /// Resolves references through `--ref`, and `file:` URIs next to the schema.
  private func resolver() throws(CommandFailure) -> Schema.Resolver {
    var mappings: [(uri: String, path: String, isFolder: Bool)] = []
    for reference in references {
      guard let equals = reference.lastIndex(of: "=") else {
        throw CommandFailure(.usage, "--ref '\(reference)': expected URI=FILE-or-DIR")
      }
      let path = String(reference[reference.index(after: equals)...])
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw CommandFailure.invalid("--ref: there is no file or folder '\(path)'")
      }
      mappings.append((String(reference[..<equals]), path, isFolder))
    }
    let known = mappings
    let folder = schema.lastIndex(of: "/").map { String(schema[...$0]) } ?? "."
    let root = root ?? folder
    return { uri in
      if uri.hasPrefix("file://"), let path = URL(string: uri)?.path {
        guard
          let bytes = try? FileContents.bytes(path, below: root, atMost: DocumentFiles.sizeLimit)
        else { return nil }
        return (try? Self.document(bytes, path))?.root
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
    try document(try FileContents.argument(file), file)
  }

  private static func document(
    _ bytes: [UInt8], _ file: String
  ) throws(CommandFailure) -> SchemaDocument {
    do throws(SchemaDocument.Problem) {
      return try SchemaDocument(bytes: bytes, file: file)
    } catch { throw CommandFailure.invalid(error.description) }
  }
}
