import PipelineAuthoring
import PipelineDocument

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
  /// Whether something must follow: a value after a colon, an element or an operand.
  var endsOpen: Bool {
    let text = split(separator: " ", omittingEmptySubsequences: true).last ?? ""
    return text.hasSuffix(":") || text.hasSuffix("{{") || text.hasSuffix("[")
      || text.hasSuffix(",") || text.hasSuffix("{") || text == "-"
      || ["+", "==", "!=", "&&", "||", "in", "(", "?"].contains(text)
  }
}

extension OpenDocument {
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
