/// Rewrites documents of earlier versions of the language in its present words.
///
/// It applies the fixes that `pipeline validate --fix` applies. Where only a person could choose, it takes the choice that keeps
/// the meaning which the document had: a step without `effect` was repeatable.
public enum PresentWords {
  /// The text in present words; the text itself if it has no former ones.
  ///
  /// - Parameter files: The files that the document uses, which are not rewritten.
  public static func of(_ text: String, file: String, files: DocumentFiles = .none) -> String {
    var text = text
    while true {
      let found = PipelineDocument.validate(bytes: text.utf8, file: file, files: files).diagnostics
      let certain = found.filter { $0.range.file == file }.compactMap(\.keepingMeaning)
      let (next, count) = FixApplication.apply(certain, to: text)
      guard count > 0, next != text else { return text }
      text = next
    }
  }

  /// Whether the diagnostics name a former word.
  public static func isNeeded(_ diagnostics: [Diagnostic]) -> Bool {
    diagnostics.contains { $0.keepingMeaning != nil }
  }
}

extension Diagnostic {
  /// A finding about a former word, with the fix that keeps the meaning of the document.
  fileprivate var keepingMeaning: Diagnostic? {
    let fix: Fix? =
      switch code {
      case .formerWord: self.fix
      case .missingEffect: fixes.last
      default: nil
      }
    return fix.map {
      Diagnostic(
        code, message, at: range,
        fixes: [Fix(range: $0.range, replacement: $0.replacement, isSafe: true)])
    }
  }
}
