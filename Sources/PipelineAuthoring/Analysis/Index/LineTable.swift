import Basics
import PipelineDocument

/// A text split into lines: LF, CR LF or CR ends a line.
///
/// Columns are Unicode scalars from 0 here; a byte order mark at the start does not count.
struct LineTable: Sendable {
  let bytes: [UInt8]
  let starts: [Int]

  init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    bytes.withUnsafeBufferPointer { buffer in
      for index in buffer.indices {
        let next = index + 1
        if buffer[index] == 0x0A {
          starts.append(next)
        } else if buffer[index] == 0x0D, next == buffer.count || buffer[next] != 0x0A {
          starts.append(next)
        }
      }
    }
    self.starts = starts
  }

  var count: Int { starts.count }

  /// The bytes of a line without its line break; empty outside the text.
  func byteRange(_ line: Int) -> Range<Int> {
    guard starts.indices.contains(line) else { return bytes.count..<bytes.count }
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  func scalars(_ line: Int) -> [Unicode.Scalar] {
    Array(String(decoding: bytes[byteRange(line)], as: UTF8.self).unicodeScalars)
  }

  func clamped(_ position: SourcePosition) -> SourcePosition {
    let line = min(max(position.line, 1), count)
    let column = min(max(position.column, 1), scalars(line - 1).count + 1)
    return SourcePosition(line: line, column: column)
  }

  /// The text with one line shortened, so that the rest can be parsed.
  ///
  /// The line keeps its first `kept` bytes; all other lines keep their positions.
  func blanking(_ line: Int, keeping kept: Int) -> LineTable {
    var bytes = bytes
    let range = byteRange(line)
    for index in range.dropFirst(kept) { bytes[index] = 0x20 }
    return LineTable(bytes: bytes, starts: starts)
  }

  private init(bytes: [UInt8], starts: [Int]) {
    self.bytes = bytes
    self.starts = starts
  }
}
