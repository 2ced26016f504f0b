/// The text of a response's body: without a byte order mark (RFC 8259 §8.1), and from the charset that `Content-Type` names.
struct ResponseText {
  /// UTF-8, as far as the server sent valid text.
  let utf8: [UInt8]
  /// Why the body is not the text that its headers announce.
  let failure: String?
  /// Bytes of the body before ``utf8``.
  let mark: Int

  /// What Windows-1252 has in place of the control characters of ISO 8859-1.
  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  init(of response: Response) {
    let body = response.body
    guard response.damage == nil else {
      (utf8, failure, mark) = (body, response.damage, 0)
      return
    }
    let marks: [([UInt8], String)] = [
      ([0xEF, 0xBB, 0xBF], "utf-8"), ([0xFE, 0xFF], "utf-16be"), ([0xFF, 0xFE], "utf-16le"),
    ]
    let found = marks.first { body.starts(with: $0.0) }
    let charset = found?.1 ?? Self.charset(of: response.header("content-type")) ?? "utf-8"
    let rest = body.dropFirst(found?.0.count ?? 0)
    mark = found?.0.count ?? 0
    let text: String
    switch charset {
    case "utf-8", "utf8", "us-ascii", "ascii":
      (utf8, failure) = (found == nil ? body : Array(rest), nil)
      return
    case "iso-8859-1", "iso8859-1", "latin1", "windows-1252", "cp1252":
      text = String(
        String.UnicodeScalarView(
          rest.lazy.map { byte in
            let code = (0x80..<0xA0).contains(byte) ? Self.windows1252[Int(byte) - 0x80] : nil
            return code.flatMap(Unicode.Scalar.init) ?? Unicode.Scalar(byte)
          }))
    case "utf-16", "utf-16be", "utf-16le":
      let bytes = Array(rest)
      let low = charset == "utf-16le" ? 0 : 1
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0 + 1 - low]) << 8 | UInt16(bytes[$0 + low])
      }
      text = String(decoding: units, as: UTF16.self)
    default:
      // Most charsets have ASCII in common.
      let strange = body.firstIndex { $0 >= 0x80 }
      let name = String(charset.prefix(40)).visibleLine
      failure = strange.map { "byte \($0): the charset '\(name)' is not supported" }
      utf8 = body
      return
    }
    // The declaration of XML names the encoding that the text no longer has.
    let end = text.hasPrefix("<?xml") ? text.firstRange(of: "?>")?.upperBound : nil
    (utf8, failure) = (Array(text[(end ?? text.startIndex)...].utf8), nil)
  }

  /// The parameter `charset` of a media type, in lower case (RFC 9110 §8.3.2).
  private static func charset(of type: String?) -> String? {
    for parameter in (type ?? "").lowercased().split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmingSpaces }
      guard parts.count == 2, parts[0] == "charset" else { continue }
      return String(parts[1].filter { $0 != "\"" && $0 != "'" })
    }
    return nil
  }

  /// Where ``utf8`` is not UTF-8, for messages; `nil` if it is.
  var invalidity: String? {
    guard String(validating: utf8, as: UTF8.self) == nil else { return nil }
    var bytes = utf8.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var length = mark
    while case .valid(let scalar) = parser.parseScalar(from: &bytes) { length += scalar.count }
    return "byte \(length): expected UTF-8, found other bytes"
  }
}
