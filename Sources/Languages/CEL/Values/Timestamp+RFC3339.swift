import Basics

extension Timestamp: CustomStringConvertible {
  /// Parses RFC 3339 section 5.6 text: `T` and `Z` capital, with an offset, without a second of 60.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T"), let hour = reader.number(2),
      reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2), (1...12).contains(month), hour < 24, minute < 60, second < 60,
      (1...CivilDate.length(ofMonth: month, year: year)).contains(day),
      let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let clock = Int64(hour * 3600 + minute * 60 + second)
    self.init(seconds: days * 86_400 + clock - offset, nanoseconds: nanoseconds)
  }

  /// RFC 3339 text in UTC, with as many fraction digits as needed.
  public var rfc3339: String {
    "\(CivilTime(secondsSince1970: seconds).rfc3339)\(fractionText(nanoseconds))Z"
  }

  /// The RFC 3339 text.
  public var description: String { rfc3339 }
}

/// `.5` for 500,000,000 nanoseconds; empty for none.
func fractionText(_ nanoseconds: Int32) -> String {
  guard nanoseconds != 0 else { return "" }
  var digits = padded(Int(nanoseconds), 9)
  while digits.hasSuffix("0") { digits.removeLast() }
  return "." + digits
}

/// Reads fixed-width fields of ASCII text.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }
  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Unicode.Scalar) -> Bool {
    rest.first.map(UInt32.init) == character.value
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digit() -> Int? {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    rest.removeFirst()
    return Int(first) - 0x30
  }

  /// Skips a sign; whether it was a minus.
  mutating func takeSign() -> Bool {
    if take("-") { return true }
    _ = take("+")
    return false
  }

  mutating func prefix(while holds: (UInt8) -> Bool) -> String {
    let prefix = rest.prefix(while: holds)
    rest = rest[prefix.endIndex...]
    return String(Substring(prefix))
  }

  /// A number of as many digits as there are, but at most four.
  mutating func number(in range: ClosedRange<Int>) -> Int? {
    var number: Int?
    for _ in 0..<4 {
      guard let digit = digit() else { break }
      number = (number ?? 0) * 10 + digit
    }
    return number.flatMap { range.contains($0) ? $0 : nil }
  }

  mutating func number(_ width: Int) -> Int? {
    var result = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      result = result * 10 + digit
    }
    return result
  }

  /// Nanoseconds of an optional fraction; `nil` if the point is not followed by a digit.
  mutating func fraction() -> Int32? {
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
  mutating func offset() -> Int64? {
    if take("Z") { return 0 }
    let isNegative = take("-")
    guard isNegative || take("+"), let hours = number(2), take(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = Int64(hours * 3600 + minutes * 60)
    return isNegative ? -seconds : seconds
  }
}
