extension Timestamp: CustomStringConvertible {
  /// Parses RFC 3339 section 5.6 text: `T` and `Z` capital, with an offset, without a second of 60.
  public init?(rfc3339 text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date(), reader.take("T"), let (minutes, second) = reader.clock(),
      second < 60, let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let clock = Int64(minutes * 60 + second)
    self.init(seconds: date.daysSince1970 * 86_400 + clock - offset, nanoseconds: nanoseconds)
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
