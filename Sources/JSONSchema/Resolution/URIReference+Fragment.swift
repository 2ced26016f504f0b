import Basics

extension URIReference {
  /// This reference without its fragment: the key of a document or resource.
  var withoutFragment: URIReference {
    var copy = self
    copy.scheme = scheme.map { Substring($0.lowercased()) }
    copy.fragment = nil
    return copy
  }

  /// The percent-decoded fragment, or `nil` if it is not UTF-8.
  var decodedFragment: String? {
    guard let fragment else { return "" }
    return PercentEncoding.decode(fragment.utf8, keepingMalformed: true)
      .flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// A JSON Pointer as a fragment, with characters that RFC 3986 does not allow percent-encoded.
  static func encodeFragment(_ pointer: String) -> String {
    PercentEncoding.encode(pointer, keeping: "!$&'()*+,;=:@/?")
  }
}
