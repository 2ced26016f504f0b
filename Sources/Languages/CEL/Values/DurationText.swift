/// Parses a duration such as `1h30m`, `-1.5s` or `250ms` in `h`, `m`, `s`, `ms`, `us`, `µs` and `ns`.
func parseDuration(_ text: String) -> Nanoseconds? {
  var scalars = Substring(text).unicodeScalars
  var isNegative = false
  if let first = scalars.first, first == "-" || first == "+" {
    isNegative = first == "-"
    scalars.removeFirst()
  }
  if scalars.elementsEqual("0".unicodeScalars) { return Nanoseconds(count: 0) }
  guard !scalars.isEmpty else { return nil }
  var total: Int128 = 0
  while !scalars.isEmpty {
    guard let part = parseDurationPart(&scalars) else { return nil }
    total += part
    // Far beyond the range of the language; the caller reports it. The sum cannot overflow.
    if total > 1 << 100 { break }
  }
  return Nanoseconds(count: isNegative ? -total : total)
}

/// One number and its unit, in nanoseconds; a fraction finer than a nanosecond is dropped.
private func parseDurationPart(_ scalars: inout Substring.UnicodeScalarView) -> Int128? {
  var (whole, digits): (Int128, Int) = (0, 0)
  while let digit = takeDigit(&scalars) {
    whole = min(whole * 10 + digit, 1 << 60)
    digits += 1
  }
  var (fraction, scale): (Int128, Int128) = (0, 1)
  if scalars.first == "." {
    scalars.removeFirst()
    while let digit = takeDigit(&scalars) {
      digits += 1
      guard scale < 1_000_000_000_000_000_000 else { continue }
      fraction = fraction * 10 + digit
      scale *= 10
    }
  }
  guard digits > 0 else { return nil }
  var unit = ""
  while let scalar = scalars.first, scalar != ".", !("0"..."9").contains(scalar) {
    unit.unicodeScalars.append(scalar)
    scalars.removeFirst()
  }
  guard let length = nanosecondsOfUnit(unit) else { return nil }
  return whole * length + fraction * length / scale
}

private func takeDigit(_ scalars: inout Substring.UnicodeScalarView) -> Int128? {
  guard let first = scalars.first, ("0"..."9").contains(first) else { return nil }
  scalars.removeFirst()
  return Int128(first.value - 0x30)
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
