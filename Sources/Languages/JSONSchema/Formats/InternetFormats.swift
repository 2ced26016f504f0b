extension FormatRules {
  /// RFC 2673 §3.2: four decimal numbers, which a leading zero would make octal elsewhere.
  static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.allSatisfy(\.isDigit),
          part.count == 1 || part.first != 0x30
        else { return false }
        return part.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 255
      }
  }

  /// RFC 4291 §2.2.
  static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= 45 else { return false }
    let groups = bytes.split(separator: 0x3A, omittingEmptySubsequences: false)
    guard groups.count >= 3 else { return false }
    var words = 0
    var gaps = 0
    for (place, group) in groups.enumerated() {
      let isEdge = place == 0 || place == groups.count - 1
      if group.isEmpty {
        // An empty group at an edge is half of "::" there.
        if isEdge {
          let neighbour = place == 0 ? groups[1] : groups[groups.count - 2]
          guard neighbour.isEmpty else { return false }
        } else {
          gaps += 1
        }
      } else if group.contains(0x2E) {
        guard place == groups.count - 1, isIPv4(group) else { return false }
        words += 2
      } else {
        guard group.count <= 4, group.allSatisfy({ Hexadecimal.value($0) != nil })
        else { return false }
        words += 1
      }
    }
    // "::" by itself splits into three empty groups: two edges and one gap.
    return gaps == 0 ? words == 8 : gaps == 1 && words <= 7
  }

  /// RFC 1123 §2.1; labels that start with `xn--` must be valid A-labels.
  static func isHostname(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= 253 else { return false }
    return bytes.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
      guard isLDHLabel(label) else { return false }
      let isReserved = label.count >= 4 && label.dropFirst(2).prefix(2).elementsEqual([0x2D, 0x2D])
      return !isReserved || InternationalName.isALabel(String(decoding: label, as: UTF8.self))
    }
  }

  /// Letters, digits and inner hyphens, at most 63.
  static func isLDHLabel(_ label: ArraySlice<UInt8>) -> Bool {
    (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
      && label.allSatisfy { $0.isAlphanumeric || $0 == 0x2D }
  }

  /// RFC 5321 §4.1.2 `Mailbox`, or RFC 6531 §3.3 when it may hold other than ASCII.
  static func isEmail(_ text: String, isInternational: Bool) -> Bool {
    let bytes = Array(text.utf8)
    guard isInternational || bytes.allSatisfy({ $0 < 0x80 }),
      let at = bytes.lastIndex(of: 0x40), at > 0, at <= 64
    else { return false }
    let local = bytes[..<at]
    guard local.first == 0x22 ? isQuotedString(local) : isDotString(local) else { return false }
    let domain = bytes[(at + 1)...]
    if domain.first == 0x5B { return isAddressLiteral(domain) }
    let name = String(decoding: domain, as: UTF8.self)
    return isInternational ? InternationalName.isHostname(name) : isHostname(name)
  }

  private static let atomPunctuation: [UInt8] = Array("!#$%&'*+-/=?^_`{|}~".utf8)

  private static func isDotString(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty
        && atom.allSatisfy { $0.isAlphanumeric || $0 >= 0x80 || atomPunctuation.contains($0) }
    }
  }

  private static func isQuotedString(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes.last == 0x22 else { return false }
    var rest = bytes.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      switch byte {
      case 0x5C:
        guard let escaped = rest.popFirst(), (0x20...0x7E).contains(escaped) else { return false }
      case 0x22, 0x00...0x1F, 0x7F: return false
      default: break
      }
    }
    return true
  }

  /// RFC 5321 §4.1.3.
  private static func isAddressLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.last == 0x5D, bytes.count > 2 else { return false }
    let inner = bytes.dropFirst().dropLast()
    let tag = String(decoding: inner.prefix(5), as: UTF8.self).lowercased()
    return tag == "ipv6:" ? isIPv6(inner.dropFirst(5)) : isIPv4(inner)
  }

  static func isDateTime(_ text: String) -> Bool {
    var reader = DigitReader(text)
    return reader.date() != nil && (reader.take("T") || reader.take("t")) && isTime(&reader)
  }

  static func isDate(_ text: String) -> Bool {
    var reader = DigitReader(text)
    return reader.date() != nil && reader.isAtEnd
  }

  static func isTime(_ text: String) -> Bool {
    var reader = DigitReader(text)
    return isTime(&reader)
  }

  private static func isTime(_ reader: inout DigitReader) -> Bool {
    guard let (minutes, second) = reader.clock(), reader.fraction() != nil,
      let offset = reader.take("z") ? 0 : reader.offset(), reader.isAtEnd
    else { return false }
    // A leap second comes at 23:59:60 UTC (RFC 3339 §5.7).
    return second < 60 || (minutes - Int(offset / 60) + 2880) % 1440 == 23 * 60 + 59
  }

  /// RFC 3339 appendix A: units in order and without gaps, weeks only by themselves.
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
      let digits = rest.prefix(while: \.isDigit)
      rest = rest.dropFirst(digits.count)
      guard !digits.isEmpty, let unit = rest.popFirst(), let place = order.firstIndex(of: unit),
        last.map({ place == $0 + 1 }) ?? true
      else { return false }
      last = place
    }
    return last != nil
  }
}
