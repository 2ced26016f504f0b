struct DiagnosticWriter: Sendable {
  let client: ClientCapabilities
  let pages: RulePages?
  private static let maximumDiagnostics = 1000

  func message(_ document: OpenDocument, _ analysis: DocumentAnalysis?) -> Message {
    message(document.uri, version: document.version, diagnostics(of: document, analysis))
  }

  func message(_ uri: String, version: Int?, _ diagnostics: [Value]) -> Message {
    var params: [String: Value] = ["uri": .string(uri), "diagnostics": .list(diagnostics)]
    if let version, client.knowsVersions { params["version"] = Value(version) }
    return .notification(method: "textDocument/publishDiagnostics", params: .map(MapValue(params)))
  }

  private func diagnostics(of document: OpenDocument, _ analysis: DocumentAnalysis?) -> [Value] {
    guard let analysis else {
      return [
        [
          "range": ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0]],
          "severity": 1, "code": "too-large", "source": "pipeline",
          "message": .string(
            "the document is longer than \(OpenDocument.maximumBytes) bytes and is not checked"),
        ]
      ]
    }
    return analysis.diagnostics.prefix(Self.maximumDiagnostics).map { json($0, in: document) }
  }

  func json(_ diagnostic: Diagnostic, in document: OpenDocument) -> Value {
    let help = diagnostic.help.map { "\nhelp: \($0)" } ?? ""
    var members: [String: Value] = [
      "range": document.json(diagnostic.range, client.encoding),
      "severity": diagnostic.severity == .error ? 1 : 2, "code": .string(diagnostic.code.rawValue),
      "source": "pipeline", "message": .string(diagnostic.message + help),
    ]
    if client.knowsCodeDescriptions, let pages {
      members["codeDescription"] = ["href": .string(pages.address(of: diagnostic.code))]
    }
    let tags = diagnostic.code.tags.filter(client.diagnosticTags.contains)
    if !tags.isEmpty { members["tags"] = .list(tags.map { Value($0) }) }
    let notes = diagnostic.notes.filter { $0.range.file == document.file }
    if client.knowsRelatedInformation, !notes.isEmpty {
      members["relatedInformation"] = .list(
        notes.map {
          [
            "location": document.location($0.range, client.encoding),
            "message": .string($0.message),
          ]
        })
    }
    return .map(MapValue(members))
  }
}

extension OpenDocument {
  func json(_ range: TextRange, _ encoding: PositionEncoding) -> Value {
    [
      "start": protocolPosition(range.start, encoding).json,
      "end": protocolPosition(range.end, encoding).json,
    ]
  }

  func location(_ range: TextRange, _ encoding: PositionEncoding) -> Value {
    ["uri": .string(uri), "range": json(range, encoding)]
  }

  func title(of fix: Diagnostic.Fix) -> String {
    let old = Self.short(text(of: fix.range))
    let new = Self.short(fix.words)
    if fix.replacement.isEmpty { return "Remove '\(old)'" }
    return old.isEmpty ? "Insert '\(new)'" : "Replace '\(old)' with '\(new)'"
  }

  private static func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 40 ? line.prefix(40) + "…" : line
  }
}

extension Completion.Kind {
  /// Its number in the protocol (LSP 3.17 "CompletionItemKind").
  var number: Int {
    switch self {
    case .key: 10
    case .value: 20
    case .input, .variable: 6
    case .step: 9
    case .output, .field: 5
    case .function: 3
    case .constant: 21
    case .snippet: 15
    case .header: 10
    case .file: 17
    case .folder: 19
    }
  }
}

extension DocumentSymbol.Kind {
  /// Its number in the protocol (LSP 3.17 "SymbolKind").
  var number: Int {
    switch self {
    case .group: 3
    case .input: 13
    case .policy: 19
    case .step: 12
    case .loop: 18
    case .output: 8
    }
  }
}

extension DocumentHighlight.Kind {
  /// Its number in the protocol (LSP 3.17 "DocumentHighlightKind").
  var number: Int {
    switch self {
    case .read: 2
    case .write: 3
    }
  }
}

extension DiagnosticCode {
  /// The numbers of its tags in the protocol (LSP 3.17 "DiagnosticTag").
  var tags: [Int] { isUnnecessary ? [1] : [] }
}

extension String {
  var endsOpen: Bool {
    let text = split(separator: " ", omittingEmptySubsequences: true).last ?? ""
    return text.hasSuffix(":") || text.hasSuffix("{{") || text.hasSuffix("[")
      || text.hasSuffix(",") || text.hasSuffix("{") || text == "-"
      || ["+", "==", "!=", "&&", "||", "in", "(", "?"].contains(text)
  }
}
