struct PlaceTable: Hashable, Sendable {
  /// A position in a line, in every unit of counting.
  struct LinePosition: Hashable, Sendable {
    var offset: Int
    var scalars = 0
    var utf8 = 0
    var utf16 = 0

    func units(_ encoding: PositionEncoding) -> Int {
      switch encoding {
      case .utf8: utf8
      case .utf16: utf16
      case .utf32: scalars
      }
    }
  }

  private var starts = [0]
  private var ends: [Int] = []
  /// Checkpoints in long lines, so that no line is scanned from its start.
  private var landmarks: [Int: [LinePosition]] = [:]
  private static let distance = 1024

  init(_ bytes: [UInt8]) {
    let found = Self.lines(in: 0..<bytes.count, of: bytes)
    starts = [0] + found.starts
    ends = found.ends + [bytes.count]
    for line in starts.indices {
      landmarks[line] = Self.landmarks(starts[line]..<ends[line], bytes)
    }
  }

  /// The line breaks in a part of a text: where each ends, and so a line starts, and where each starts.
  private static func lines(
    in range: Range<Int>, of bytes: [UInt8]
  ) -> (starts: [Int], ends: [Int]) {
    var starts: [Int] = []
    var ends: [Int] = []
    bytes.withUnsafeBufferPointer { buffer in
      for index in range {
        let byte = buffer[index]
        guard byte == 0x0A || byte == 0x0D else { continue }
        if byte == 0x0D, index + 1 < buffer.count, buffer[index + 1] == 0x0A { continue }
        let isPair = byte == 0x0A && index > 0 && buffer[index - 1] == 0x0D
        ends.append(isPair ? index - 1 : index)
        starts.append(index + 1)
      }
    }
    return (starts, ends)
  }

  /// Follows the replacement of a range by `count` bytes; only the lines around it are read again, for speed.
  mutating func replace(_ range: Range<Int>, with count: Int, in bytes: [UInt8]) {
    let shift = count - range.count
    // A line break may become one with a character of the line before or after.
    let first = max(0, line(at: range.lowerBound) - 1)
    let last = min(starts.count - 1, line(at: range.upperBound) + 1)
    let isEnd = last == starts.count - 1
    let end = isEnd ? bytes.count : starts[last + 1] + shift
    var (newStarts, newEnds) = Self.lines(in: starts[first]..<end, of: bytes)
    if isEnd { newEnds.append(bytes.count) } else { newStarts.removeLast() }
    newStarts.insert(starts[first], at: 0)
    let moved = newStarts.count - (last - first + 1)
    if shift != 0 {
      for index in starts.indices[(last + 1)...] {
        starts[index] += shift
        ends[index] += shift
      }
    }
    starts.replaceSubrange(first...last, with: newStarts)
    ends.replaceSubrange(first...last, with: newEnds)
    if !landmarks.isEmpty {
      landmarks = landmarks.reduce(into: [:]) { kept, entry in
        if entry.key < first { kept[entry.key] = entry.value }
        guard entry.key > last else { return }
        kept[entry.key + moved] = entry.value.map { place in
          var place = place
          place.offset += shift
          return place
        }
      }
    }
    for line in first..<(first + newStarts.count) {
      landmarks[line] = Self.landmarks(starts[line]..<ends[line], bytes)
    }
  }

  private func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  var lineCount: Int { starts.count }
  func start(_ line: Int) -> Int { starts[line] }

  /// The last checkpoint of a line for which `isBefore` is true; it is true for the start, and once false stays false.
  func walk(_ line: Int, in bytes: [UInt8], while isBefore: (LinePosition) -> Bool) -> LinePosition
  {
    var place = LinePosition(offset: starts[line])
    if let landmarks = landmarks[line] {
      var low = 0
      var high = landmarks.count
      while low < high {
        let middle = (low + high) / 2
        if isBefore(landmarks[middle]) { low = middle + 1 } else { high = middle }
      }
      if low > 0 { place = landmarks[low - 1] }
    }
    while place.offset < ends[line] {
      let next = Self.next(place, bytes)
      guard isBefore(next) else { break }
      place = next
    }
    return place
  }

  private static func landmarks(_ range: Range<Int>, _ bytes: [UInt8]) -> [LinePosition]? {
    guard range.count > 2 * distance else { return nil }
    var landmarks: [LinePosition] = []
    var place = LinePosition(offset: range.lowerBound)
    while place.offset < range.upperBound {
      place = next(place, bytes)
      if place.scalars % distance == 0 { landmarks.append(place) }
    }
    return landmarks
  }

  /// The position one character later; the bytes are valid UTF-8.
  private static func next(_ place: LinePosition, _ bytes: [UInt8]) -> LinePosition {
    let lead = bytes[place.offset]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return LinePosition(
      offset: place.offset + length, scalars: place.scalars + 1, utf8: place.utf8 + length,
      utf16: place.utf16 + (length == 4 ? 2 : 1))
  }
}

/// The unit of a position's character (LSP 3.17 "PositionEncodingKind").
public enum PositionEncoding: String, Hashable, Sendable, CaseIterable {
  /// UTF-16 code units, which every client understands.
  case utf16 = "utf-16"
  /// UTF-8 code units, bytes.
  case utf8 = "utf-8"
  case utf32 = "utf-32"
}

/// A position in a document as clients write it: both from 0, the character in units of the encoding.
struct ProtocolPosition: Hashable {
  var line, character: Int
  var json: Value { ["line": Value(line), "character": Value(character)] }
}

extension ProtocolPosition {
  init?(_ value: Value?) {
    guard let line = value?["line"]?.int, let character = value?["character"]?.int, line >= 0,
      character >= 0
    else { return nil }
    self.init(line: line, character: character)
  }
}
