/// Rows of texts in aligned columns, below their titles.
struct TextTable {
  private let titles: [String]
  private var rows: [[String]] = []
  private var hasTitles = false
  /// Rows whose columns are aligned with each other: a list of any length needs little memory.
  private static let page = 1000
  /// A longer text moves the columns after it.
  private static let width = 60

  init(_ titles: [String]) { self.titles = titles }

  /// The lines of a whole table.
  static func lines(_ titles: [String], _ rows: [[String]]) -> [String] {
    var table = TextTable(titles)
    return rows.flatMap { table.add($0) } + table.flush()
  }

  /// Prints a whole table, each row with the first occurrence of a word in color.
  static func print(
    _ titles: [String], _ rows: [(columns: [String], word: String, paint: Terminal.Paint)]
  ) {
    let lines = lines(titles, rows.map(\.columns))
    Terminal.print(lines[0])
    for (row, line) in zip(rows, lines.dropFirst()) {
      Terminal.print(line, painting: row.word, row.paint)
    }
  }

  /// Adds a row, and returns the lines that are complete.
  mutating func add(_ row: [String]) -> [String] {
    rows.append(row)
    return rows.count == Self.page ? flush() : []
  }

  /// The lines of all rows that were not returned yet; of a table without rows, none.
  mutating func flush() -> [String] {
    guard !rows.isEmpty else { return [] }
    let all = (hasTitles ? [] : [titles]) + rows
    let widths = titles.indices.map { column in
      min(all.map { TextWidth.columns($0[column]) }.max() ?? 0, Self.width)
    }
    (rows, hasTitles) = ([], true)
    return all.map { row in
      let cells = row.enumerated().map { index, text in
        text + String(repeating: " ", count: max(widths[index] - TextWidth.columns(text), 0))
      }
      var text = cells.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

enum TextWidth {
  /// Scalars with a width of two columns: East Asian Wide and Fullwidth (UAX #11), and emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615,
    0x2648...0x2653, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x2705...0x2705,
    0x2728...0x2728, 0x274C...0x274C, 0x2753...0x2755, 0x2795...0x2797, 0x2E80...0x303E,
    0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
    0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]

  /// Columns of one character: an accent of its own, or a joined emoji, does not add to the width of its base.
  static func columns(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  static func columns(_ line: some StringProtocol) -> Int { line.reduce(0) { $0 + columns($1) } }

  /// The line in at most `limit` columns; one that is longer ends with `…`.
  static func cut(_ line: String, to limit: Int) -> String {
    guard columns(line) > limit else { return line }
    var kept = ""
    var room = limit - 1
    for character in line {
      room -= columns(character)
      guard room >= 0 else { break }
      kept.append(character)
    }
    return limit > 0 ? kept + "…" : ""
  }

  /// The end of a path in exactly `width` columns: the name is at its end.
  static func fitted(_ name: String, to width: Int) -> String {
    let count = columns(name)
    guard count > width else { return name + String(repeating: " ", count: width - count) }
    var kept = ""
    var room = width - 1
    for character in name.reversed() {
      guard room - columns(character) >= 0 else { break }
      room -= columns(character)
      kept.append(character)
    }
    return "…" + String(kept.reversed()) + String(repeating: " ", count: room)
  }
}
