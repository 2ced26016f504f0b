/// One character in the forms that JSON, HTML and URLs use for it.
enum EscapedScalar {
  /// The end of `scalar` if one of its forms starts at `position`; otherwise `nil`.
  static func end(
    of scalar: Unicode.Scalar, in source: [Unicode.Scalar], at position: Int
  ) -> Int? {
    guard position < source.count else { return nil }
    switch source[position] {
    case scalar where scalar != "%" && scalar != "&" && scalar != "\\": return position + 1
    case "\\": return json(scalar, source, position) ?? plain(scalar, source, position)
    case "%": return percent(scalar, source, position) ?? plain(scalar, source, position)
    case "&": return html(scalar, source, position) ?? plain(scalar, source, position)
    // Forms encode a space this way (application/x-www-form-urlencoded).
    case "+" where scalar == " ": return position + 1
    default: return nil
    }
  }

  private static func plain(
    _ scalar: Unicode.Scalar, _ source: [Unicode.Scalar], _ position: Int
  ) -> Int? { source[position] == scalar ? position + 1 : nil }

  /// `\n`, `\/`, `\u00e9`, `\ud83d\ude00` (RFC 8259 §7).
  private static func json(
    _ scalar: Unicode.Scalar, _ source: [Unicode.Scalar], _ position: Int
  ) -> Int? {
    guard position + 1 < source.count else { return nil }
    // JSON in a string of JSON has its escapes escaped.
    if scalar != "\\", source[position + 1] == "\\", position + 2 < source.count {
      let inner = source[position + 2] == "\\" ? position + 2 : position + 1
      return source[inner...].prefix(2) == ["\\", "\\"] ? nil : json(scalar, source, inner)
    }
    guard source[position + 1] == "u" else {
      let meant: Unicode.Scalar? =
        switch source[position + 1] {
        case "\"", "\\", "/": source[position + 1]
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case "b": "\u{8}"
        case "f": "\u{C}"
        default: nil
        }
      return meant == scalar ? position + 2 : nil
    }
    var place = position
    for unit in String(scalar).utf16 {
      guard place + 6 <= source.count, source[place] == "\\", source[place + 1] == "u",
        number(source[(place + 2)..<(place + 6)], radix: 16) == UInt32(unit)
      else { return nil }
      place += 6
    }
    return place
  }

  /// `%C3%a9` (RFC 3986 §2.1), once or twice: `%25C3%25a9`.
  private static func percent(
    _ scalar: Unicode.Scalar, _ source: [Unicode.Scalar], _ position: Int
  ) -> Int? {
    var place = position
    for byte in String(scalar).utf8 {
      let isTwice = byte != UInt8(ascii: "%") && source[place...].starts(with: ["%", "2", "5"])
      let digits = place + (isTwice ? 3 : 1)
      guard digits + 2 <= source.count, source[place] == "%",
        number(source[digits..<(digits + 2)], radix: 16) == UInt32(byte)
      else { return nil }
      place = digits + 2
    }
    return place
  }

  private static let names: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  /// `&amp;`, `&#38;`, `&#x26;`.
  private static func html(
    _ scalar: Unicode.Scalar, _ source: [Unicode.Scalar], _ position: Int
  ) -> Int? {
    let rest = source[(position + 1)...].prefix(10)
    guard let end = rest.firstIndex(of: ";") else { return nil }
    let name = source[(position + 1)..<end]
    let meant: UInt32?
    if name.first == "#" {
      let digits = name.dropFirst()
      let isHex = digits.first == "x" || digits.first == "X"
      meant = isHex ? number(digits.dropFirst(), radix: 16) : number(digits, radix: 10)
    } else {
      meant = names[String(String.UnicodeScalarView(name))]?.value
    }
    return meant == scalar.value ? end + 1 : nil
  }

  private static func number(_ digits: ArraySlice<Unicode.Scalar>, radix: Int) -> UInt32? {
    // `UInt32(_:radix:)` also accepts a sign.
    guard let first = digits.first, first != "+", first != "-" else { return nil }
    return UInt32(String(String.UnicodeScalarView(digits)), radix: radix)
  }
}
