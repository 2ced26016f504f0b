import CEL

/// The client's capabilities that affect our responses (LSP 3.17 "ClientCapabilities").
struct ClientCapabilities: Sendable {
  let encoding: PositionEncoding
  let knowsSnippets, knowsInsertTextMode: Bool
  let completionMarkup, hoverMarkup: Markup
  let knowsNestedSymbols, knowsCodeActions, knowsPrepareRename, knowsDocumentChanges: Bool
  let knowsRelatedInformation, knowsVersions: Bool
  /// The tags of diagnostics that the client shows (LSP 3.17 "DiagnosticTag").
  let diagnosticTags: Set<Int>
  let knowsCodeDescriptions: Bool
  let signatureMarkup: Markup
  let knowsLabelOffsets, registersWatchers: Bool

  enum Markup: Sendable {
    case markdown, plain

    init(_ formats: Value?) {
      let known = (formats?.listValue ?? []).compactMap(\.stringValue)
        .first { $0 == "markdown" || $0 == "plaintext" }
      self = known == "plaintext" ? .plain : .markdown
    }

    func content(_ markdown: String) -> Value {
      switch self {
      case .markdown: ["kind": "markdown", "value": .string(markdown)]
      case .plain: ["kind": "plaintext", "value": .string(Self.plainText(markdown))]
      }
    }

    private static func plainText(_ markdown: String) -> String {
      markdown.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("```") }
        .map { line in line.split(separator: "**", omittingEmptySubsequences: false).joined() }
        .joined(separator: "\n")
        .filter { $0 != "`" }
    }
  }

  init(_ capabilities: Value?) {
    let text = capabilities?["textDocument"]
    let item = text?["completion", "completionItem"]
    // The client's order is its preference.
    encoding =
      (capabilities?["general", "positionEncodings"]?.listValue ?? []).lazy
      .compactMap { $0.stringValue.flatMap(PositionEncoding.init) }.first ?? .utf16
    knowsSnippets = item?["snippetSupport"]?.boolValue ?? false
    knowsInsertTextMode =
      item?["insertTextModeSupport", "valueSet"]?.listValue?.contains(2) ?? false
    completionMarkup = Markup(item?["documentationFormat"])
    hoverMarkup = Markup(text?["hover", "contentFormat"])
    knowsNestedSymbols =
      text?["documentSymbol", "hierarchicalDocumentSymbolSupport"]?.boolValue ?? false
    knowsCodeActions = text?["codeAction", "codeActionLiteralSupport"]?.mapValue != nil
    knowsPrepareRename = text?["rename", "prepareSupport"]?.boolValue ?? false
    knowsDocumentChanges =
      capabilities?["workspace", "workspaceEdit", "documentChanges"]?.boolValue ?? false
    knowsRelatedInformation = text?["publishDiagnostics", "relatedInformation"]?.boolValue ?? false
    let diagnostics = text?["publishDiagnostics"]
    knowsVersions = diagnostics?["versionSupport"]?.boolValue ?? false
    diagnosticTags = Set(
      (diagnostics?["tagSupport", "valueSet"]?.listValue ?? []).compactMap(\.int))
    knowsCodeDescriptions = diagnostics?["codeDescriptionSupport"]?.boolValue ?? false
    registersWatchers =
      capabilities?["workspace", "didChangeWatchedFiles", "dynamicRegistration"]?.boolValue ?? false
    let signature = text?["signatureHelp", "signatureInformation"]
    signatureMarkup = Markup(signature?["documentationFormat"])
    knowsLabelOffsets = signature?["parameterInformation", "labelOffsetSupport"]?.boolValue ?? false
  }

  var answer: Value {
    [
      "positionEncoding": .string(encoding.rawValue),
      "textDocumentSync": ["openClose": true, "change": 2],
      "completionProvider": ["triggerCharacters": [".", "{", " ", "/"], "resolveProvider": false],
      "signatureHelpProvider": ["triggerCharacters": ["(", ","]],
      "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
      "documentSymbolProvider": true, "documentHighlightProvider": true,
      "foldingRangeProvider": true, "documentLinkProvider": ["resolveProvider": false],
      "codeActionProvider": knowsCodeActions ? ["codeActionKinds": ["quickfix"]] : false,
      "renameProvider": knowsPrepareRename ? ["prepareProvider": true] : true,
    ]
  }
}
