/// The starts of lines, and checkpoints in long lines.
struct PlaceTable {
  /// A position in a line, in every unit of counting.
  struct LinePosition {
    /// The byte offset from the start of the text.
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
    bytes.withUnsafeBufferPointer { buffer in
      for index in buffer.indices {
        let byte = buffer[index]
        guard byte == 0x0A || byte == 0x0D else { continue }
        if byte == 0x0D, index + 1 < buffer.count, buffer[index + 1] == 0x0A { continue }
        let isPair = byte == 0x0A && index > 0 && buffer[index - 1] == 0x0D
        ends.append(isPair ? index - 1 : index)
        starts.append(index + 1)
      }
    }
    ends.append(bytes.count)
    for line in starts.indices where ends[line] - starts[line] > 2 * Self.distance {
      landmarks[line] = Self.landmarks(starts[line]..<ends[line], bytes)
    }
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

  private static func landmarks(_ range: Range<Int>, _ bytes: [UInt8]) -> [LinePosition] {
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
