/// Reads fields of ASCII text, such as those of dates.
package struct DigitReader {
  private var rest: Substring.UTF8View

  package init(_ text: String) { rest = Substring(text).utf8 }
  package var isAtEnd: Bool { rest.isEmpty }

  package func isAt(_ character: Unicode.Scalar) -> Bool {
    rest.first.map(UInt32.init) == character.value
  }

  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  package mutating func digit() -> Int? {
    guard let first = rest.first, first.isDigit else { return nil }
    rest.removeFirst()
    return Int(first) - 0x30
  }

  /// Skips a sign; whether it was a minus.
  package mutating func takeSign() -> Bool {
    if take("-") { return true }
    _ = take("+")
    return false
  }

  package mutating func prefix(while holds: (UInt8) -> Bool) -> String {
    let prefix = rest.prefix(while: holds)
    rest = rest[prefix.endIndex...]
    return String(Substring(prefix))
  }

  /// A number of as many digits as there are, but at most four.
  package mutating func number(in range: ClosedRange<Int>) -> Int? {
    var number: Int?
    for _ in 0..<4 {
      guard let digit = digit() else { break }
      number = (number ?? 0) * 10 + digit
    }
    return number.flatMap { range.contains($0) ? $0 : nil }
  }

  package mutating func number(_ width: Int) -> Int? {
    var result = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      result = result * 10 + digit
    }
    return result
  }

  /// Nanoseconds of an optional fraction; `nil` if the point is not followed by a digit.
  package mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    var (result, scale): (Int32, Int32) = (0, 100_000_000)
    var count = 0
    while let digit = digit() {
      result += Int32(digit) * scale
      scale /= 10
      count += 1
    }
    return count == 0 ? nil : result
  }

  /// Seconds east of UTC of `Z`, `+hh:mm` or `-hh:mm`.
  package mutating func offset() -> Int64? {
    if take("Z") { return 0 }
    let isNegative = take("-")
    guard isNegative || take("+"), let hours = number(2), take(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = Int64(hours * 3600 + minutes * 60)
    return isNegative ? -seconds : seconds
  }

  /// `yyyy-mm-dd` (RFC 3339 §5.6).
  package mutating func date() -> CivilDate? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...CivilDate.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// `hh:mm:ss`, with a second of up to 60.
  package mutating func clock() -> (minutes: Int, second: Int)? {
    guard let hour = number(2), take(":"), let minute = number(2), take(":"),
      let second = number(2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return (hour * 60 + minute, second)
  }
}
