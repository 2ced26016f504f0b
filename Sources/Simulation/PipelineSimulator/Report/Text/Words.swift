enum Words {
  /// A duration in at most two units, such as `12.4 s`, `3m 20s`, `8.5 h` or `2.8 d`.
  static func duration(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    if milliseconds < 0 { return "-" + self.duration(.milliseconds(-milliseconds)) }
    let seconds = Double(milliseconds) / 1000
    if milliseconds == 0 { return "0 s" }
    if seconds < 1 { return "\(milliseconds) ms" }
    if seconds < 60 { return "\(decimal(seconds)) s" }
    if seconds < 5400 { return "\(decimal(seconds / 60)) min" }
    if seconds < 172_800 { return "\(decimal(seconds / 3600)) h" }
    return "\(decimal(seconds / 86400)) d"
  }

  static func seconds(_ seconds: Double) -> String {
    duration(.milliseconds(Int64(seconds * 1000)))
  }

  static func bytes(_ bytes: Double) -> String { Self.bytes(Int64(bytes)) }

  /// Bytes in a binary unit, such as `1.5 MiB`.
  static func bytes(_ bytes: Int64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(bytes) B" : "\(decimal(value)) \(units[unit])"
  }

  /// At most one decimal, omitted if it is 0.
  static func decimal(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    let tenths = Int64((value * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let sign = tenths < 0 ? "-" : ""
    return sign + grouped(whole) + (rest == 0 || whole >= 1000 ? "" : ".\(rest)")
  }

  /// A number with at most one decimal and no commas, as SVG expects.
  static func plain(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
  }

  /// A whole number with thousands separators.
  static func count(_ value: some BinaryInteger) -> String {
    (value < 0 ? "-" : "") + grouped(UInt64(value.magnitude))
  }

  private static func grouped(_ value: UInt64) -> String {
    let digits = Array(String(value))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// A part of a whole, such as `99.5 %`; never `100 %` if something is missing, nor `0 %` if there is any.
  static func percent(_ part: Double) -> String {
    if part > 0.9995, part < 1 { return ">99.9 %" }
    if part > 0, part < 0.0005 { return "<0.1 %" }
    return "\(decimal(part * 100)) %"
  }

  /// `one`, or `number` of `many`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// The time `milliseconds` after `start`, as a day and a time of day: `day 3 14:05`.
  static func moment(_ milliseconds: Int64, from start: Instant) -> String {
    let offset = start.milliseconds % 86_400_000
    let (day, rest) = (offset + milliseconds).quotientAndRemainder(dividingBy: 86_400_000)
    let minutes = rest / 60_000
    return "day \(day + 1) \(two(minutes / 60)):\(two(minutes % 60))"
  }

  static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

struct TextTable {
  private var rows: [[String]] = []
  private let alignsRight: Set<Int>

  /// A table whose columns at `alignsRight` hold numbers.
  init(alignsRight: Set<Int> = [], _ rows: [[String]] = []) {
    self.alignsRight = alignsRight
    for row in rows { add(row) }
  }

  mutating func add(_ cells: [String]) { rows.append(cells.map(\.visibleLine)) }

  func render(indent: String = "  ") -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let blank = String(repeating: " ", count: widths[column] - cell.count)
        return alignsRight.contains(column) ? blank + cell : cell + blank
      }
      var line = indent + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
