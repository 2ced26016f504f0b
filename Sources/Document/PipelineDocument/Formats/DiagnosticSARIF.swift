/// Renders diagnostics in the Static Analysis Results Interchange Format, SARIF 2.1.0.
public struct DiagnosticSARIF: Sendable {
  private let version: String
  private let pages: RulePages?

  /// Makes a renderer for the program's `version`; `pages` become the rules' `helpUri`.
  public init(version: String, pages: RulePages? = nil) {
    (self.version, self.pages) = (version, pages)
  }

  /// A log with one run.
  ///
  /// Columns count Unicode scalars and ends are exclusive, as SARIF requires (§3.30.5–§3.30.8).
  public func render(_ diagnostics: [Diagnostic]) -> String {
    let codes = Set(diagnostics.map(\.code)).sorted { $0.rawValue < $1.rawValue }
    let order = Dictionary(
      codes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var counts: [String: Int] = [:]
    let results = diagnostics.map { diagnostic in
      let text = Self.identity(of: diagnostic)
      counts[text, default: 0] += 1
      return result(
        diagnostic, rule: order[diagnostic.code] ?? 0,
        fingerprint: "\(Self.hash(text)):\(counts[text] ?? 1)")
    }
    let log = Self.log(version: version, rules: codes.map(rule), results: results)
    return JSONText.render(log) + "\n"
  }

  package static func log(version: String, rules: [Value], results: [Value]) -> Value {
    let driver: Value = ["name": "pipeline", "version": .string(version), "rules": .list(rules)]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .list(results),
        ]
      ],
    ]
  }

  // MARK: Rules

  /// The parts of a rule that code hosts show: its name, its meaning, and the fix (§3.49).
  private func rule(_ code: DiagnosticCode) -> Value {
    var pairs: [(String, Value)] = [
      ("id", .string(code.rawValue)), ("name", .string(Self.name(code))),
    ]
    if let page = Check.page(for: code) {
      pairs += [
        ("shortDescription", ["text": .string(page.summary)]),
        ("fullDescription", ["text": .string(page.explanation)]),
        ("help", ["text": .string(help(page)), "markdown": .string(markdown(page))]),
        ("defaultConfiguration", ["level": .string(page.severity.rawValue)]),
        ("properties", ["tags": [.string(page.family.rawValue)]]),
      ]
    }
    if let pages { pairs.append(("helpUri", .string(pages.address(of: code)))) }
    return .map(MapValue(pairs))
  }

  /// `unsafe-create` as `UnsafeCreate`, the form of names in SARIF (§3.49.7).
  private static func name(_ code: DiagnosticCode) -> String {
    code.rawValue.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private func help(_ page: Check) -> String {
    "\(page.explanation)\n\n`pipeline rule \(page.code.rawValue)` shows an example."
  }

  private func markdown(_ page: Check) -> String {
    var text = page.explanation
    if let wrong = page.wrong { text += "\n\nWrong:\n\n```yaml\n\(wrong)\n```" }
    if let right = page.right { text += "\n\nRight:\n\n```yaml\n\(right)\n```" }
    return text
  }

  // MARK: Results

  /// What makes a finding the same after lines were added above it.
  private static func identity(of diagnostic: Diagnostic) -> String {
    "\(uri(diagnostic.range.file))\n\(diagnostic.code.rawValue)\n\(diagnostic.message)"
  }

  /// FNV-1a with 64 bits, in hexadecimal: the same in each process.
  private static func hash(_ text: String) -> String {
    let bits = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(bits, radix: 16)
  }

  private func result(_ diagnostic: Diagnostic, rule: Int, fingerprint: String) -> Value {
    var message = diagnostic.message
    if let help = diagnostic.help { message += ". Help: \(help)" }
    var pairs: [(String, Value)] = [
      ("ruleId", .string(diagnostic.code.rawValue)), ("ruleIndex", .int(Int64(rule))),
      ("level", .string(diagnostic.severity.rawValue)), ("message", ["text": .string(message)]),
      ("locations", .list([location(diagnostic.range, nil)])),
      // The name that code hosts look for; the text after the colon counts equal findings.
      ("partialFingerprints", ["primaryLocationLineHash": .string(fingerprint)]),
    ]
    if !diagnostic.notes.isEmpty {
      pairs.append(
        ("relatedLocations", .list(diagnostic.notes.map { location($0.range, $0.message) })))
    }
    if !diagnostic.fixes.isEmpty {
      pairs.append(("fixes", .list(diagnostic.fixes.map { value($0, diagnostic) })))
    }
    if !diagnostic.properties.isEmpty {
      pairs.append(
        ("properties", .map(MapValue(diagnostic.properties.map { ($0.name, .string($0.value)) }))))
    }
    return .map(MapValue(pairs))
  }

  private func value(_ fix: Diagnostic.Fix, _ diagnostic: Diagnostic) -> Value {
    let replacement: Value = [
      "deletedRegion": region(fix.range), "insertedContent": ["text": .string(fix.replacement)],
    ]
    let change: Value = [
      "artifactLocation": ["uri": .string(Self.uri(fix.range.file))],
      "replacements": .list([replacement]),
    ]
    let words =
      diagnostic.fixes.count == 1
      ? diagnostic.help ?? "replace it with '\(fix.replacement)'" : "write '\(fix.words)'"
    return ["description": ["text": .string(words)], "artifactChanges": .list([change])]
  }

  private func location(_ range: TextRange, _ message: String?) -> Value {
    let place = Self.place(range.file, region(range))
    guard let message else { return ["physicalLocation": place] }
    return ["physicalLocation": place, "message": ["text": .string(message)]]
  }

  package static func place(_ file: String, _ region: Value) -> Value {
    ["artifactLocation": ["uri": .string(uri(file))], "region": region]
  }

  private func region(_ range: TextRange) -> Value {
    [
      "startLine": .int(Int64(range.start.line)), "startColumn": .int(Int64(range.start.column)),
      "endLine": .int(Int64(range.end.line)), "endColumn": .int(Int64(range.end.column)),
    ]
  }

  /// A path as a URI reference (RFC 3986 §4.1): an absolute path as `file:`, others unchanged.
  private static func uri(_ path: String) -> String {
    if path == "-" { return "stdin" }
    return (path.hasPrefix("/") ? "file://" : "")
      + PercentEncoding.encode(path, keeping: "/!$&'()*+,;=@")
  }
}
