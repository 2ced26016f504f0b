extension Library {
  static let encodingFunctions: [Function] = [
    text("urlEscape") { PercentEncoding.encode($0) },
    text("urlEscapePath") { octets in
      PercentEncoding.encode(octets) { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") }
    },
    text("formEscape") { formEncode($0) },
    text("xmlEscape") { XMLText.escape($0) },
    unary("urlUnescape", [.string], returns: .string) { (value) throws(EvaluationError) in
      guard let octets = PercentEncoding.decode(octets(value)),
        let text = String(validating: octets, as: UTF8.self)
      else { throw .argument("string is not percent-encoded UTF-8") }
      return .string(text)
    },
    unary("query", [.map(.string, .dyn)], returns: .string) { (value) throws(EvaluationError) in
      .string(try query(of: value.mapValue ?? [:]))
    },
    unary("base64UrlEncode", [.bytes, .string], returns: .string) {
      (value) throws(EvaluationError) in .string(Base64.encodeForURL(octets(value)))
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
    guard let text = value.textValue
    else { throw .argument("'query' accepts strings, numbers, times and lists of them") }
    return PercentEncoding.encode(text)
  }

  /// The `application/x-www-form-urlencoded` form, with `+` for spaces.
  private static func formEncode(_ octets: [UInt8]) -> [UInt8] {
    PercentEncoding.encode(octets) { octet in
      switch octet {
      case UInt8(ascii: "*"), UInt8(ascii: " "): true
      case UInt8(ascii: "~"): false
      default: PercentEncoding.isUnreserved(octet)
      }
    }.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
  }
}
