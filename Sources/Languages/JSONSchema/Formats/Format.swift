/// A format that JSON Schema 2020-12 defines (validation §7.3).
public enum Format: String, CaseIterable, CustomStringConvertible, Sendable {
  case dateTime = "date-time"
  case date, time, duration, email
  case idnEmail = "idn-email"
  case hostname
  case idnHostname = "idn-hostname"
  case ipv4, ipv6, uri
  case uriReference = "uri-reference"
  case iri
  case iriReference = "iri-reference"
  case uriTemplate = "uri-template"
  case uuid
  case jsonPointer = "json-pointer"
  case relativeJSONPointer = "relative-json-pointer"
  case regex

  /// Whether a string has the format.
  public func admits(_ text: String) -> Bool {
    switch self {
    case .dateTime: FormatRules.isDateTime(text)
    case .date: FormatRules.isDate(text)
    case .time: FormatRules.isTime(text)
    case .duration: FormatRules.isDuration(text)
    case .email: FormatRules.isEmail(text, isInternational: false)
    case .idnEmail: FormatRules.isEmail(text, isInternational: true)
    case .hostname: FormatRules.isHostname(text)
    case .idnHostname: InternationalName.isHostname(text)
    case .ipv4: FormatRules.isIPv4(Array(text.utf8)[...])
    case .ipv6: FormatRules.isIPv6(Array(text.utf8)[...])
    case .uri: URIGrammar(isInternational: false).isReference(text, needsScheme: true)
    case .uriReference: URIGrammar(isInternational: false).isReference(text, needsScheme: false)
    case .iri: URIGrammar(isInternational: true).isReference(text, needsScheme: true)
    case .iriReference: URIGrammar(isInternational: true).isReference(text, needsScheme: false)
    case .uriTemplate: FormatRules.isURITemplate(text)
    case .uuid: FormatRules.isUUID(text)
    case .jsonPointer: FormatRules.isJSONPointer(text)
    case .relativeJSONPointer: FormatRules.isRelativeJSONPointer(text)
    case .regex: (try? RegularExpression(text)) != nil
    }
  }

  /// A description of the format, with an example.
  public var description: String {
    Self.lines.first { $0.hasPrefix(rawValue + ": ") }
      .map { String($0.dropFirst(rawValue.count + ": ".count)) } ?? rawValue
  }

  private static let lines = String(decoding: PackageResources.formats_txt, as: UTF8.self)
    .split(separator: "\n")
}

enum FormatRules {
  /// RFC 4122 §3: five groups of hexadecimal digits, of any variant.
  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.indices.allSatisfy { place in
      [8, 13, 18, 23].contains(place)
        ? bytes[place] == 0x2D : Hexadecimal.value(bytes[place]) != nil
    }
  }

  /// RFC 6901 §3.
  static func isJSONPointer(_ text: String) -> Bool { isJSONPointer(Array(text.utf8)[...]) }

  static func isJSONPointer(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first else { return true }
    guard first == 0x2F else { return false }
    return bytes.indices.allSatisfy { place in
      guard bytes[place] == 0x7E else { return true }
      let next = place + 1
      return next < bytes.endIndex && (bytes[next] == 0x30 || bytes[next] == 0x31)
    }
  }

  /// draft-bhutton-relative-json-pointer-00 §3, without index manipulation as 2020-12 has it.
  static func isRelativeJSONPointer(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let end = bytes.firstIndex { !$0.isDigit } ?? bytes.count
    guard end > 0, bytes[0] != 0x30 || end == 1 else { return false }
    let rest = bytes[end...]
    return rest.elementsEqual([0x23]) || isJSONPointer(rest)
  }
}
