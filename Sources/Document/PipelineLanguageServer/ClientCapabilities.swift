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
    func flag(_ value: Value?) -> Bool { value?.boolValue ?? false }
    let (text, workspace) = (capabilities?["textDocument"], capabilities?["workspace"])
    let item = text?["completion", "completionItem"]
    // The client's order is its preference.
    encoding =
      (capabilities?["general", "positionEncodings"]?.listValue ?? []).lazy
      .compactMap { $0.stringValue.flatMap(PositionEncoding.init) }.first ?? .utf16
    knowsSnippets = flag(item?["snippetSupport"])
    knowsInsertTextMode =
      item?["insertTextModeSupport", "valueSet"]?.listValue?.contains(2) ?? false
    completionMarkup = Markup(item?["documentationFormat"])
    hoverMarkup = Markup(text?["hover", "contentFormat"])
    knowsNestedSymbols = flag(text?["documentSymbol", "hierarchicalDocumentSymbolSupport"])
    knowsCodeActions = text?["codeAction", "codeActionLiteralSupport"]?.mapValue != nil
    knowsPrepareRename = flag(text?["rename", "prepareSupport"])
    knowsDocumentChanges = flag(workspace?["workspaceEdit", "documentChanges"])
    let diagnostics = text?["publishDiagnostics"]
    knowsRelatedInformation = flag(diagnostics?["relatedInformation"])
    knowsVersions = flag(diagnostics?["versionSupport"])
    diagnosticTags = Set(
      (diagnostics?["tagSupport", "valueSet"]?.listValue ?? []).compactMap(\.int))
    knowsCodeDescriptions = flag(diagnostics?["codeDescriptionSupport"])
    registersWatchers = flag(workspace?["didChangeWatchedFiles", "dynamicRegistration"])
    let signature = text?["signatureHelp", "signatureInformation"]
    signatureMarkup = Markup(signature?["documentationFormat"])
    knowsLabelOffsets = flag(signature?["parameterInformation", "labelOffsetSupport"])
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
