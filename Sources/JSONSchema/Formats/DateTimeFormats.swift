extension FormatRules {
  /// The number written by two digits at `place`, or `nil`.
  private static func pair(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Int? {
    let first = bytes.startIndex + place
    guard first + 1 < bytes.endIndex, isDigit(bytes[first]), isDigit(bytes[first + 1]) else {
      return nil
    }
    return Int(bytes[first] - 0x30) * 10 + Int(bytes[first + 1] - 0x30)
  }

  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 11, bytes[10] | 0x20 == 0x74 else { return false }
    return isDate(bytes[..<10]) && isTime(bytes[11...])
  }

  static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.startIndex
    guard bytes.count == 10, bytes[start + 4] == 0x2D, bytes[start + 7] == 0x2D,
      let century = pair(bytes, 0), let yearOfCentury = pair(bytes, 2),
      let month = pair(bytes, 5), let day = pair(bytes, 8), (1...12).contains(month)
    else { return false }
    let year = century * 100 + yearOfCentury
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return day >= 1 && day <= lengths[month - 1]
  }

  static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    let start = bytes.startIndex
    guard bytes.count >= 9, bytes[start + 2] == 0x3A, bytes[start + 5] == 0x3A,
      let hour = pair(bytes, 0), let minute = pair(bytes, 3), let second = pair(bytes, 6),
      hour < 24, minute < 60, second <= 60
    else { return false }
    var rest = bytes.dropFirst(8)
    if rest.first == 0x2E {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(rest) else { return false }
    if second < 60 { return true }
    // A leap second comes at 23:59:60 UTC (RFC 3339 §5.7).
    let utc = (hour * 60 + minute - offset + 2880) % 1440
    return utc == 23 * 60 + 59
  }

  /// The offset from UTC in minutes, or `nil` when there is no offset.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first else { return nil }
    if sign | 0x20 == 0x7A { return bytes.count == 1 ? 0 : nil }
    guard sign == 0x2B || sign == 0x2D, bytes.count == 6,
      bytes[bytes.startIndex + 3] == 0x3A, let hours = pair(bytes, 1),
      let minutes = pair(bytes, 4), hours < 24, minutes < 60
    else { return nil }
    return (sign == 0x2D ? -1 : 1) * (hours * 60 + minutes)
  }

  /// RFC 3339 appendix A: units in order and without gaps, weeks alone.
  static func isDuration(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 2, bytes[0] == 0x50 else { return false }
    let body = bytes[1...]
    let mark = body.firstIndex(of: 0x54)
    let datePart = body[..<(mark ?? body.endIndex)]
    if mark == nil, units(datePart, of: [0x57]) { return true }
    guard datePart.isEmpty || units(datePart, of: [0x59, 0x4D, 0x44]) else { return false }
    guard let mark else { return !datePart.isEmpty }
    return units(body[(mark + 1)...], of: [0x48, 0x4D, 0x53])
  }

  /// Whether the bytes are numbers, each with its unit, the units neighbours in `order`.
  private static func units(_ bytes: ArraySlice<UInt8>, of order: [UInt8]) -> Bool {
    var rest = bytes
    var last: Int?
    while !rest.isEmpty {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let place = order.firstIndex(of: unit),
        last.map({ place == $0 + 1 }) ?? true
      else { return false }
      last = place
    }
    return last != nil
  }
}
