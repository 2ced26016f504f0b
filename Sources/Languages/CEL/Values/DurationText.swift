/// Parses a duration such as `1h30m`, `-1.5s` or `250ms` in `h`, `m`, `s`, `ms`, `us`, `µs` and `ns`.
func parseDuration(_ text: String) -> Nanoseconds? {
  if ["0", "+0", "-0"].contains(text) { return Nanoseconds(count: 0) }
  var reader = DigitReader(text)
  let isNegative = reader.takeSign()
  guard !reader.isAtEnd else { return nil }
  var total: Int128 = 0
  while !reader.isAtEnd {
    guard let part = parseDurationPart(&reader) else { return nil }
    total += part
    // Far beyond the range of the language; the caller reports it. The sum cannot overflow.
    if total > 1 << 100 { break }
  }
  return Nanoseconds(count: isNegative ? -total : total)
}

/// One number and its unit, in nanoseconds; a fraction finer than a nanosecond is dropped.
private func parseDurationPart(_ reader: inout DigitReader) -> Int128? {
  var (whole, digits): (Int128, Int) = (0, 0)
  while let digit = reader.digit() {
    whole = min(whole * 10 + Int128(digit), 1 << 60)
    digits += 1
  }
  var (fraction, scale): (Int128, Int128) = (0, 1)
  if reader.take(".") {
    while let digit = reader.digit() {
      digits += 1
      guard scale < 1_000_000_000_000_000_000 else { continue }
      fraction = fraction * 10 + Int128(digit)
      scale *= 10
    }
  }
  let unit = reader.prefix { $0 != UInt8(ascii: ".") && !$0.isDigit }
  guard digits > 0, let length = nanosecondsOfUnit(unit) else { return nil }
  return whole * length + fraction * length / scale
}

private func nanosecondsOfUnit(_ unit: String) -> Int128? {
  switch unit {
  case "h": 3_600_000_000_000
  case "m": 60_000_000_000
  case "s": 1_000_000_000
  case "ms": 1_000_000
  case "us", "\u{B5}s", "\u{3BC}s": 1000
  case "ns": 1
  default: nil
  }
}

/// Seconds with as many digits of a fraction as needed, such as `3.5s`, within the range of the language.
func durationText(_ duration: Swift.Duration) -> String {
  let range = Nanoseconds.durationRange
  let parts = min(max(duration, range.lowerBound), range.upperBound).components
  let sign = parts.seconds < 0 || parts.attoseconds < 0 ? "-" : ""
  let nanoseconds = Int32((parts.attoseconds / 1_000_000_000).magnitude)
  return "\(sign)\(parts.seconds.magnitude)\(fractionText(nanoseconds))s"
}
