extension FunctionReference {
  static func parameters(of function: String, isMethod: Bool) -> [String] {
    if isMethod, let names = ofMethods[function] { return names }
    return parameters[function] ?? []
  }

  /// Methods that can also be called as functions, with the receiver as the first argument.
  private static let ofMethods: [String: [String]] = [
    "size": [], "matches": ["pattern"], "capture": ["pattern"],
  ]

  private static let parameters: [String: [String]] = {
    var parameters: [String: [String]] = [:]
    for (names, functions) in named {
      for function in functions { parameters[function] = names }
    }
    return parameters
  }()

  private static let named: KeyValuePairs<[String], [String]> = [
    ["value"]: [
      "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint",
      "optional.of", "optional.ofNonZeroValue", "size", "json", "jsonHeader",
    ],
    ["list"]: ["optional.unwrap"],
    ["other"]: ["or", "orValue"],
    ["part"]: ["contains"],
    ["prefix"]: ["startsWith"],
    ["suffix"]: ["endsWith"],
    ["text", "pattern"]: ["matches", "capture"],
    ["index"]: ["charAt"],
    ["part", "from"]: ["indexOf"],
    ["part", "upTo"]: ["lastIndexOf"],
    ["separator"]: ["join"],
    ["separator", "limit"]: ["split"],
    ["old", "new", "limit"]: ["replace"],
    ["start", "end"]: ["substring"],
    ["values"]: ["format"],
    ["bytes"]: ["base64.encode", "hex"],
    ["text"]: [
      "strings.quote", "base64.decode", "urlEscape", "urlEscapePath", "urlUnescape", "formEscape",
      "xmlEscape", "parseJson", "httpDate",
    ],
    ["timeZone"]: [
      "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear",
      "getHours", "getMinutes", "getSeconds", "getMilliseconds",
    ],
    ["number"]: [
      "math.abs", "math.ceil", "math.floor", "math.round", "math.trunc", "math.sign", "math.sqrt",
      "math.isNaN", "math.isInf", "math.isFinite", "math.bitNot", "seconds",
    ],
    ["a", "b"]: ["math.bitAnd", "math.bitOr", "math.bitXor"],
    ["number", "bits"]: ["math.bitShiftLeft", "math.bitShiftRight"],
    ["data"]: [
      "md5", "sha1", "sha256", "sha384", "sha512", "crc32", "crc32c", "crc64nvme",
      "sha256_blocks_4mib", "base64UrlEncode",
    ],
    ["key", "message"]: ["hmac_sha1", "hmac_sha256"],
    ["digits"]: ["unhex"],
    ["members"]: ["query"],
    ["size", "options"]: ["parts"],
    ["size", "part"]: ["ranges"],
    ["parts", "size"]: ["covering"],
    ["keys", "items"]: ["groups"],
    ["size", "minimum", "parts"]: ["partSize"],
    ["headers", "name"]: ["header"],
    ["challenge", "name"]: ["authParameter"],
    ["base", "reference"]: ["resolve"],
    ["url"]: ["urlQuery"],
    ["text", "namespaces"]: ["xml"],
    ["element", "path"]: ["elements"],
    ["element"]: ["xmlText"],
    ["header"]: ["fields", "fieldList", "fieldItem"],
  ]
}
