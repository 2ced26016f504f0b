/// The structure that one line of a block document shows, independent of other lines; columns are Unicode scalars from 0.
struct OutlineLine {
  private(set) var dashes: [Int] = []
  /// The column of its key or other text; its length if there is neither.
  private(set) var column = 0
  private(set) var key: String?
  private(set) var valueStart: Int?
  let scalars: [Unicode.Scalar]
  var start: Int { dashes.first ?? column }
  var isEmpty: Bool { dashes.isEmpty && isBlank(from: column) }

  /// The value as written; empty if nothing or a comment follows the key.
  var value: ArraySlice<Unicode.Scalar> {
    guard let valueStart, !isBlank(from: valueStart) else { return [] }
    return scalars[valueStart...]
  }

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    var index = blanksEnd(from: 0)
    while index < scalars.count, scalars[index] == "-",
      index + 1 == scalars.count || isBlank(index + 1)
    {
      dashes.append(index)
      index = propertiesEnd(from: blanksEnd(from: index + 1))
    }
    column = index
    readKey()
  }

  private mutating func readKey() {
    guard column < scalars.count else { return }
    var end = column
    let quote = scalars[column]
    if quote == "\"" || quote == "'" {
      guard let close = scalars[(column + 1)...].firstIndex(of: quote) else { return }
      key = scalars[(column + 1)..<close].text
      end = blanksEnd(from: close + 1)
      guard end < scalars.count, scalars[end] == ":" else {
        key = nil
        return
      }
    } else {
      guard !"{[#|>&*!%@`".unicodeScalars.contains(quote) else { return }
      while end < scalars.count {
        if scalars[end] == ":", end + 1 == scalars.count || isBlank(end + 1) { break }
        if scalars[end] == "#", end > 0, isBlank(end - 1) { return }
        end += 1
      }
      guard end < scalars.count else { return }
      key = String(Substring(scalars[column..<end].text).trimmed)
    }
    valueStart = propertiesEnd(from: blanksEnd(from: end + 1))
  }

  private func isBlank(_ index: Int) -> Bool { scalars[index] == " " || scalars[index] == "\t" }

  private func isBlank(from index: Int) -> Bool {
    let next = blanksEnd(from: index)
    return next >= scalars.count || scalars[next] == "#"
  }

  private func blanksEnd(from start: Int) -> Int {
    var index = start
    while index < scalars.count, isBlank(index) { index += 1 }
    return min(index, scalars.count)
  }

  /// Skips anchors and tags.
  private func propertiesEnd(from start: Int) -> Int {
    var index = start
    while index < scalars.count, scalars[index] == "&" || scalars[index] == "!" {
      while index < scalars.count, !isBlank(index) { index += 1 }
      index = blanksEnd(from: index)
    }
    return index
  }

  func isComment(at column: Int) -> Bool {
    var quote: Unicode.Scalar?
    for (index, scalar) in scalars.prefix(column).enumerated() {
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        // A quote inside plain text is an ordinary character.
        if index == 0 || " \t[{,:".unicodeScalars.contains(scalars[index - 1]) { quote = scalar }
      } else if scalar == "#", index == 0 || isBlank(index - 1) {
        return true
      }
    }
    return false
  }

  /// Whether a double quote is open at the end of a text that starts outside quotes.
  static func isDoubleQuoted(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    var quote: Unicode.Scalar?
    var previous: Unicode.Scalar = " "
    var isEscaped = false
    for scalar in scalars {
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if open == "\"", scalar == "\\" {
          isEscaped = true
        } else if scalar == open {
          quote = nil
        }
      } else if scalar == "\"" || scalar == "'", " \t\n[{,:".unicodeScalars.contains(previous) {
        quote = scalar
      }
      previous = scalar
    }
    return quote == "\""
  }
}
