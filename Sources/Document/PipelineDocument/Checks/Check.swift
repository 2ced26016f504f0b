/// A kind of diagnostic, explained: its meaning, why it matters, and how to fix it.
public struct Check: Sendable {
  /// The subject of a check.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    /// The text as YAML.
    case yaml
    /// The keys of each mapping.
    case shape
    /// Single values.
    case values
    /// Expressions and their types.
    case expressions
    /// What names refer to.
    case names
    /// The flow from response to response and from step to step.
    case flow
    /// Possible harm.
    case safety
    /// Lifetimes, time allowances and retries.
    case time
    /// Disk budgets and sizes.
    case bytes
    /// Transfers that continue while the program is not running.
    case transfers
  }

  /// The code that diagnostics carry.
  public let code: DiagnosticCode
  /// The usual severity; single messages may differ.
  public var severity: Diagnostic.Severity { code.severity }
  /// The subject of the check.
  public let family: Family
  /// The problem, in one line without a final full stop.
  public let summary: String
  /// Why it matters and how to fix it: one or two short paragraphs.
  public let explanation: String
  /// Two documents that differ little, the first with the finding and the second without: lines of only the first start
  /// with `-`, of only the second with `+`, and of both with a space.
  private let example: ArraySlice<Substring>

  /// A whole document that shows it; `nil` if no text can show the cause, for a reason that the explanation states.
  public var wrong: String? { example(without: "+") }
  /// Nearly the same document, without any findings.
  public var right: String? { example(without: "-") }

  private func example(without mark: Character) -> String? {
    guard !example.isEmpty else { return nil }
    return example.filter { $0.first != mark }.map { $0.dropFirst() }.joined(separator: "\n")
  }

  /// Reads a section of a file in `Pages`: the code, the summary, the explanation, and maybe an example.
  private init?(_ lines: ArraySlice<Substring>, in file: String) {
    let paragraphs = lines.prefix { $0 != "```diff" }.split(separator: "")
      .map { $0.joined(separator: " ") }
    guard let code = DiagnosticCode(rawValue: String(paragraphs[0].dropFirst("## ".count))),
      let family = Family(rawValue: file), paragraphs.count > 2
    else { return nil }
    (self.code, self.family) = (code, family)
    summary = paragraphs[1]
    explanation = paragraphs[2...].joined(separator: "\n\n")
    example = lines.drop { $0 != "```diff" }.dropFirst().prefix { $0 != "```" }
  }

  /// Every check, sorted by code.
  public static let all: [Check] = EmbeddedTexts.checks.flatMap { file in
    let lines = file.text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map(Substring.init)
    let starts = lines.indices.filter { lines[$0].hasPrefix("## ") } + [lines.endIndex]
    return zip(starts, starts.dropFirst()).compactMap { Check(lines[$0..<$1], in: file.name) }
  }.sorted { $0.code.rawValue < $1.code.rawValue }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// The explanation of `code`; a test ensures that every code has one.
  public static func page(for code: DiagnosticCode) -> Check? { byCode[code] }
}
