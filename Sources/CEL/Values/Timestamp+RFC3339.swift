extension Timestamp: CustomStringConvertible {
  /// Parses RFC 3339 section 5.6 text such as `2024-05-01T12:00:00.5+02:00`.
  ///
  /// `T` and `Z` are capital, the offset is required, a second of 60 is refused, and digits after
  /// the ninth of a fraction are dropped.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2),
      (1...12).contains(month), hour < 24, minute < 60, second < 60,
      (1...CivilDate.length(ofMonth: month, year: year)).contains(day),
      let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let clock = Int64(hour * 3600 + minute * 60 + second)
    self.init(seconds: days * 86_400 + clock - offset, nanoseconds: nanoseconds)
  }

  /// RFC 3339 text in UTC, with as many fraction digits as needed.
  public var rfc3339: String {
    let parts = CalendarParts(self, offset: 0)
    let date =
      "\(padded(parts.date.year, 4))-\(padded(parts.date.month, 2))-\(padded(parts.date.day, 2))"
    let clock = "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    return "\(date)T\(clock)\(fractionText(nanoseconds))Z"
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

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A day of the proleptic Gregorian calendar.
struct CivilDate {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days are counted from 1 March, so that the leap day comes last in its year.
  init(daysSince1970 days: Int64) {
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A timestamp in calendar and clock fields at an offset from UTC.
struct CalendarParts {
  let date: CivilDate
  let hour: Int
  let minute: Int
  let second: Int
  let millisecond: Int
  /// 0 for Sunday.
  let weekday: Int
  /// 0 for the first of January.
  let dayOfYear: Int

  /// - Parameter offset: seconds east of UTC.
  init(_ timestamp: Timestamp, offset: Int64) {
    let local = timestamp.seconds + offset
    let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let clock = Int(local - days * 86_400)
    date = CivilDate(daysSince1970: days)
    hour = clock / 3600
    minute = clock / 60 % 60
    second = clock % 60
    millisecond = Int(timestamp.nanoseconds) / 1_000_000
    weekday = Int(((days + 4) % 7 + 7) % 7)
    dayOfYear = Int(days - CivilDate(year: date.year, month: 1, day: 1).daysSince1970)
  }
}

/// Reads fixed-width fields of ASCII text.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digit() -> Int? {
    guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
    rest.removeFirst()
    return Int(first) - 0x30
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
