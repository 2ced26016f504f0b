import CEL

extension Library {
  static let encodingFunctions: [Function] = [
    text("urlEscape") { percentEncode($0, keeping: unreserved) },
    text("urlEscapePath") { percentEncode($0, keeping: unreserved + [UInt8(ascii: "/")]) },
    text("formEscape") { formEncode($0) },
    text("xmlEscape") { xmlEscape($0) },
    unary("urlUnescape", [.string], returns: .string) { (value) throws(EvaluationError) in
      guard let text = percentDecode(octets(value)) else {
        throw EvaluationError(.invalidArgument, "string is not percent-encoded UTF-8")
      }
      return .string(text)
    },
    unary("query", [.map(.string, .dyn)], returns: .string) { (value) throws(EvaluationError) in
      .string(try query(of: value.mapValue ?? [:]))
    },
    unary("base64UrlEncode", [.bytes, .string], returns: .string) {
      (value) throws(EvaluationError) in
      .string(base64URL(octets(value)))
    },
  ]

  private static func text(
    _ name: String, _ escape: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> Function {
    Function(
      name,
      .function(.string, returns: .string) { (arguments, meter) throws(EvaluationError) in
        let octets = octets(arguments[0])
        // An escaped byte becomes up to six.
        try meter.charge(octets.count / 8)
        return .string(String(decoding: escape(octets), as: UTF8.self))
      })
  }

  /// The bytes that mean themselves anywhere in a URL, RFC 3986 section 2.3.
  private static let unreserved =
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  private static func percentEncode(_ octets: [UInt8], keeping kept: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var isKept = [Bool](repeating: false, count: 256)
    for octet in kept { isKept[Int(octet)] = true }
    var result: [UInt8] = []
    for octet in octets {
      if isKept[Int(octet)] {
        result.append(octet)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
      }
    }
    return result
  }

  /// The members of a map as `name=value` pairs, in their order.
  private static func query(of map: MapValue) throws(EvaluationError) -> String {
    var pairs: [String] = []
    for (key, value) in map {
      let name = try queryText(key)
      for element in value.listValue ?? (value.isNull ? [] : [value]) {
        pairs.append(name + "=" + (try queryText(element)))
      }
    }
    return pairs.joined(separator: "&")
  }

  private static func queryText(_ value: Value) throws(EvaluationError) -> String {
    guard let text = value.textValue else {
      throw EvaluationError(
        .invalidArgument, "'query' takes strings, numbers, times and lists of them")
    }
    return String(
      decoding: percentEncode(Array(text.utf8), keeping: unreserved), as: UTF8.self)
  }

  /// The `application/x-www-form-urlencoded` form, with `+` for spaces.
  private static func formEncode(_ octets: [UInt8]) -> [UInt8] {
    let kept =
      unreserved.filter { $0 != UInt8(ascii: "~") }
      + [UInt8(ascii: "*"), UInt8(ascii: " ")]
    return percentEncode(octets, keeping: kept)
      .map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
  }

  private static func percentDecode(_ octets: [UInt8]) -> String? {
    var result: [UInt8] = []
    var index = 0
    while index < octets.count {
      guard octets[index] == UInt8(ascii: "%") else {
        result.append(octets[index])
        index += 1
        continue
      }
      guard index + 2 < octets.count,
        let high = Character(Unicode.Scalar(octets[index + 1])).hexDigitValue,
        let low = Character(Unicode.Scalar(octets[index + 2])).hexDigitValue
      else { return nil }
      result.append(UInt8(high << 4 | low))
      index += 3
    }
    return String(validating: result, as: UTF8.self)
  }

  /// Text for XML content and attribute values.
  ///
  /// Control characters that XML 1.0 does not allow (section 2.2) are removed.
  private static func xmlEscape(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for octet in octets {
      switch octet {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case UInt8(ascii: "'"): result += "&apos;".utf8
      case 0x0D: result += "&#13;".utf8
      case 0x09, 0x0A: result.append(octet)
      case 0..<0x20: break
      default: result.append(octet)
      }
    }
    return result
  }

  /// Base64 with the alphabet for URLs and without padding, RFC 4648 section 5.
  private static func base64URL(_ octets: [UInt8]) -> String {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var result: [UInt8] = []
    for start in stride(from: 0, to: octets.count, by: 3) {
      let group = octets[start..<min(start + 3, octets.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...group.count { result.append(alphabet[bits >> (18 - 6 * place) & 63]) }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
