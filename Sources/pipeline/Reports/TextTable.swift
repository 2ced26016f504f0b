/// Rows of texts in aligned columns, below their titles.
struct TextTable {
  private let titles: [String]
  private var rows: [[String]] = []
  private var hasTitles = false

  /// Rows whose columns are aligned with each other: a list of any length needs little memory.
  private static let page = 1000
  /// A longer text moves the columns behind it.
  private static let width = 60

  init(_ titles: [String]) { self.titles = titles }

  /// The lines of a whole table.
  static func lines(_ titles: [String], _ rows: [[String]]) -> [String] {
    var table = TextTable(titles)
    return rows.flatMap { table.add($0) } + table.flush()
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
