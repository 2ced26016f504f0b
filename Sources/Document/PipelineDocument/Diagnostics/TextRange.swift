import Synchronization

/// A half-open range of a file: ``end`` is the position just after the last character.
public struct TextRange: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  public var file: String { name.text }
  private let name: FileName
  /// The position of the first character.
  public let start: SourcePosition
  /// The position just after the last character; equal to ``start`` if the range is empty.
  public let end: SourcePosition

  /// Names a stretch of `file`.
  public init(file: String, start: SourcePosition, end: SourcePosition) {
    self.init(in: FileName(file), start: start, end: end)
  }

  package init(in name: FileName, start: SourcePosition, end: SourcePosition) {
    (self.name, self.start, self.end) = (name, start, end)
  }

  func isInFile(of other: TextRange) -> Bool { name == other.name }

  func prefix(_ columns: Int) -> TextRange {
    TextRange(
      in: name, start: start, end: SourcePosition(line: start.line, column: start.column + columns))
  }

  /// `file:line:column`, of the start.
  public var description: String { "\(file):\(start)" }
}

/// The name of a file, as stored in each location.
///
/// A document has tens of thousands of locations. Each name is therefore stored once, for the life of the process, so that
/// copying a location does not count references.
package struct FileName: Hashable, Sendable {
  private final class Storage: Sendable {
    package let text: String

    init(_ text: String) { self.text = text }
  }

  private static let known = Mutex<[String: FileName]>([:])
  private let storage: Unmanaged<Storage>

  init(_ text: String) {
    self = Self.known.withLock { known in
      if let name = known[text] { return name }
      let name = FileName(Unmanaged.passRetained(Storage(text)))
      known[text] = name
      return name
    }
  }

  private init(_ storage: Unmanaged<Storage>) { self.storage = storage }
  package var text: String { storage._withUnsafeGuaranteedRef { $0.text } }

  package static func == (left: Self, right: Self) -> Bool {
    left.storage.toOpaque() == right.storage.toOpaque()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(storage.toOpaque()) }
}

/// Splits texts into lines as YAML counts them: LF, CR LF or CR ends a line.
enum SourceLines {
  package static func split(_ text: String) -> [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if scalar == "\u{FEFF}", previous == nil { continue }
      if scalar == "\n", previous == "\r" { continue }
      if scalar == "\n" || scalar == "\r" {
        lines.append(String(line))
        line.removeAll()
      } else {
        line.append(scalar)
      }
    }
    lines.append(String(line))
    return lines
  }
}

package struct Located<Value> {
  package let value: Value
  package let range: TextRange

  package init(_ value: Value, at range: TextRange) { (self.value, self.range) = (value, range) }
}

extension Located: Sendable where Value: Sendable {}
