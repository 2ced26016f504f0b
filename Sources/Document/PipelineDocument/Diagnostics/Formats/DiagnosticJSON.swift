import Basics
package import CEL

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

/// Writes values as JSON (RFC 8259), in lines, maps in their own order.
package enum JSONText {
  package static func render(_ value: Value) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.indentedText
  }

  /// Whole numbers have no fraction here, and other values than those of a document do not occur.
  private static func write(_ value: Value, to writer: inout JSONWriter) {
    switch value {
    case .bool(let flag): writer.bool(nil, flag)
    case .int(let number): writer.int(nil, number)
    case .uint(let number): writer.int(nil, number)
    case .double(let number):
      if number == number.rounded() && abs(number) < 1e15 {
        writer.int(nil, Int64(number))
      } else {
        writer.number(text: "\(number)")
      }
    case .string(let string): writer.string(nil, string)
    case .list(let elements): writer.array { for element in elements { write(element, to: &$0) } }
    case .map(let map):
      writer.object {
        for entry in map {
          $0.key(entry.key.stringValue ?? "")
          write(entry.value, to: &$0)
        }
      }
    default: writer.null()
    }
  }
}
