/// Renders diagnostics as workflow commands, which GitHub shows on the lines of a change.
public struct DiagnosticGitHub: Sendable {
  /// Makes a renderer.
  public init() {}

  /// One `::error` or `::warning` command per diagnostic, each on a line.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { diagnostic in
      let range = diagnostic.range
      var places = [
        ("file", range.file), ("line", "\(range.start.line)"), ("col", "\(range.start.column)"),
        ("endLine", "\(range.end.line)"),
      ]
      // The end column only counts on the line of the start.
      if range.start.line == range.end.line { places.append(("endColumn", "\(range.end.column)")) }
      places.append(("title", diagnostic.code.rawValue))
      let list = places.map { "\($0)=\(Self.property($1))" }.joined(separator: ",")
      let message = [diagnostic.message, diagnostic.help.map { "help: \($0)" }]
        .compactMap { $0?.visibleLine }.joined(separator: "\n")
      return "::\(diagnostic.severity.rawValue) \(list)::\(Self.data(message))\n"
    }.joined()
  }

  private static func data(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    escape(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escape(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { table[$0] ?? ($0.isInvisible ? $0.escape : String($0)) }.joined()
  }
}
