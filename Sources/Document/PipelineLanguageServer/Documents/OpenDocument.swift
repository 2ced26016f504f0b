import Synchronization

struct OpenDocument: Sendable {
  let uri, file: String
  var version: Int?
  /// The text as UTF-8; empty if it was too long.
  private(set) var bytes: [UInt8]
  /// Whether the text is longer than the limit, and so unknown.
  private(set) var isTooLarge = false
  private var places: PlaceTable
  private var analyzed: DocumentAnalysis?
  /// Analyses of earlier texts: to free the tree of a long text takes longer than a key may.
  private var discarded: [DocumentAnalysis] = []
  /// The number of the text among all texts of the session: each change,
  /// here or in a file that was read, results in a new one.
  var edition = 0
  /// The files that the analysis has read; `nil` if the text has not been analyzed.
  private(set) var reads: FileReads?
  /// The longest text that is checked, in bytes.
  static let maximumBytes = 4 << 20

  init(uri: String, version: Int?, text: String) {
    (self.uri, self.version) = (uri, version)
    file = FileURI.path(uri) ?? uri
    bytes = []
    places = PlaceTable([])
    replace(with: text)
  }

  /// Discards the analysis, because files that the text names have changed.
  mutating func forget() {
    if let analyzed { discarded.append(analyzed) }
    analyzed = nil
  }

  mutating func takeDiscarded() -> [DocumentAnalysis] {
    defer { discarded = [] }
    return discarded
  }

  func depends(on path: String) -> Bool { reads?.contains(path) ?? false }

  mutating func analysis(_ files: (FileReads) -> DocumentFiles) -> DocumentAnalysis {
    if let analyzed { return analyzed }
    let reads = FileReads()
    self.reads = reads
    let files = files(reads)
    let analysis = DocumentAnalysis(bytes: bytes, file: file, files: files)
    analyzed = analysis
    return analysis
  }

  /// Drops the text; only a complete new text restores the document.
  mutating func drop() {
    forget()
    isTooLarge = true
    bytes = []
    places = PlaceTable([])
  }

  mutating func replace(with text: String) {
    forget()
    isTooLarge = text.utf8.count > Self.maximumBytes
    bytes = isTooLarge ? [] : Array(text.utf8)
    places = PlaceTable(bytes)
  }

  mutating func replace(
    from first: ProtocolPosition, to second: ProtocolPosition, with text: String,
    _ encoding: PositionEncoding
  ) {
    guard !isTooLarge else { return }
    let (first, second) = (offset(of: first, encoding), offset(of: second, encoding))
    let range = min(first, second)..<max(first, second)
    guard bytes.count - range.count + text.utf8.count <= Self.maximumBytes else {
      drop()
      return
    }
    forget()
    bytes.replaceSubrange(range, with: text.utf8)
    places.replace(range, with: text.utf8.count, in: bytes)
  }

  /// The byte offset of a position; positions past the end of a line or of the text are clamped to it.
  func offset(of position: ProtocolPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line < places.lineCount else { return bytes.count }
    return places.walk(position.line, in: bytes) {
      // A position inside a character is moved to its start.
      $0.units(encoding) <= position.character
    }.offset
  }

  func textPosition(_ position: ProtocolPosition, _ encoding: PositionEncoding) -> SourcePosition {
    let last = places.lineCount - 1
    // A line that does not exist is treated as the end of the text.
    let limit = position.line > last ? Int.max : position.character
    let line = min(position.line, last)
    let place = places.walk(line, in: bytes) { $0.units(encoding) <= limit }
    return SourcePosition(line: line + 1, column: max(1, place.scalars + 1 - markWidth(line)))
  }

  func protocolPosition(
    _ position: SourcePosition, _ encoding: PositionEncoding
  ) -> ProtocolPosition {
    let line = min(max(position.line - 1, 0), places.lineCount - 1)
    let column = position.column - 1 + markWidth(line)
    let place = places.walk(line, in: bytes) { $0.scalars <= column }
    return ProtocolPosition(line: line, character: place.units(encoding))
  }

  func text(before position: SourcePosition) -> String {
    let end = offset(of: protocolPosition(position, .utf8), .utf8)
    let line = min(max(position.line - 1, 0), places.lineCount - 1)
    return String(decoding: bytes[max(places.start(line), end - 80)..<end], as: UTF8.self)
  }

  func text(of range: TextRange) -> String {
    let start = offset(of: protocolPosition(range.start, .utf8), .utf8)
    let end = offset(of: protocolPosition(range.end, .utf8), .utf8)
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
  }

  private func markWidth(_ line: Int) -> Int {
    line == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 1 : 0
  }
}

enum FileURI {
  /// The decoded path of a `file:` URI of this machine; `nil` for any other.
  static func path(_ uri: String) -> String? {
    guard uri.lowercased().hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst("file://".count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let host = rest[..<slash].lowercased()
    guard host.isEmpty || host == "localhost" else { return nil }
    let bytes = PercentEncoding.decode(rest[slash...].utf8, keepingMalformed: true)
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  static func uri(_ path: some StringProtocol) -> String {
    "file://" + PercentEncoding.encode(normal(String(path)), keeping: "/!$&'()*+,;=@")
  }

  static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

final class FileReads: Sendable {
  private let paths = Mutex<Set<String>>([])

  func note(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
}
