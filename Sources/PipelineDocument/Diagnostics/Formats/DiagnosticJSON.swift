import Basics
import CEL

/// Renders diagnostics as JSON for programs.
public struct DiagnosticJSON: Sendable {
  /// Makes a renderer.
  public init() {}

  /// An array with one object per diagnostic, indented, with a final line break.
  ///
  /// Keys: `code`, `severity`, `message`, `range` (`file`, `start` and `end` with `line` and `column`, 1-based, columns in
  /// Unicode scalars, the end exclusive), `notes`, and `help`, `fixes` and `properties` if present.
  public func render(_ diagnostics: [Diagnostic]) -> String {
    JSONText.render(.list(diagnostics.map(value))) + "\n"
  }

  private func value(_ diagnostic: Diagnostic) -> Value {
    var pairs: [(String, Value)] = [
      ("code", .string(diagnostic.code.rawValue)),
      ("severity", .string(diagnostic.severity.rawValue)),
      ("message", .string(diagnostic.message)), ("range", value(diagnostic.range)),
      (
        "notes",
        .list(diagnostic.notes.map { ["message": .string($0.message), "range": value($0.range)] })
      ),
    ]
    if let help = diagnostic.help { pairs.append(("help", .string(help))) }
    if !diagnostic.fixes.isEmpty {
      let fixes = diagnostic.fixes.map { fix -> Value in
        [
          "range": value(fix.range), "replacement": .string(fix.replacement),
          "safe": .bool(fix.isSafe),
        ]
      }
      pairs.append(("fixes", .list(fixes)))
    }
    if !diagnostic.properties.isEmpty {
      pairs.append(
        ("properties", .map(MapValue(diagnostic.properties.map { ($0.name, .string($0.value)) }))))
    }
    return .map(MapValue(pairs))
  }

  private func value(_ range: TextRange) -> Value {
    ["file": .string(range.file), "start": value(range.start), "end": value(range.end)]
  }

  private func value(_ position: SourcePosition) -> Value {
    ["line": .int(Int64(position.line)), "column": .int(Int64(position.column))]
  }
}
