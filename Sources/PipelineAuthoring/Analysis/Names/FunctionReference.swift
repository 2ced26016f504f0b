import CEL
import PipelineDocument

/// Descriptions of the functions, macros and constants of expressions; a test compares the names with those known to expressions.
enum FunctionReference {
  struct Macro: Sendable {
    let name: String
    let signature: String
    let summary: String
    let arguments: String
    let target: Target?

    enum Target: Sendable { case collection, optional }

    init(
      _ name: String, _ signature: String, _ summary: String, _ arguments: String,
      on target: Target? = nil
    ) {
      self.name = name
      self.signature = signature
      self.summary = summary
      self.arguments = arguments
      self.target = target
    }
  }

  static let macros: [Macro] = [
    Macro("has", "has(a.b) -> bool", "Whether the field or key exists.", "$1"),
    Macro(
      "cel.bind", "cel.bind(name, value, expression)", "Names a value within an expression.",
      "${1:name}, ${2:value}, ${3:expression}"),
    Macro(
      "math.greatest", "math.greatest(number, …)", "The greatest of the numbers, or of a list.",
      "$1"),
    Macro("math.least", "math.least(number, …)", "The least of the numbers, or of a list.", "$1"),
    Macro(
      "all", "all(x, condition) -> bool",
      "Whether the condition holds for every element, or every key of a map.",
      "${1:x}, ${2:condition}", on: .collection),
    Macro(
      "exists", "exists(x, condition) -> bool",
      "Whether the condition holds for any element, or any key of a map.", "${1:x}, ${2:condition}",
      on: .collection),
    Macro(
      "exists_one", "exists_one(x, condition) -> bool",
      "Whether the condition holds for exactly one element.", "${1:x}, ${2:condition}",
      on: .collection),
    Macro(
      "filter", "filter(x, condition) -> list", "The elements for which the condition holds.",
      "${1:x}, ${2:condition}", on: .collection),
    Macro(
      "map", "map(x, value) -> list",
      "A list with a new value for each element; with three arguments, only for elements that meet the second.",
      "${1:x}, ${2:value}", on: .collection),
    Macro(
      "transformList", "transformList(index, x, value) -> list",
      "A list with a new value for each index and element, or each key and value.",
      "${1:index}, ${2:x}, ${3:value}", on: .collection),
    Macro(
      "transformMap", "transformMap(key, x, value) -> map",
      "A map with the same keys and new values.", "${1:key}, ${2:x}, ${3:value}", on: .collection),
    Macro(
      "transformMapEntry", "transformMapEntry(key, x, {newKey: value}) -> map",
      "A map with a new entry for each key and value.",
      "${1:key}, ${2:x}, {${3:newKey}: ${4:value\\}}", on: .collection),
    Macro(
      "optMap", "optMap(x, value) -> optional", "The transformed value, if there is one.",
      "${1:x}, ${2:value}", on: .optional),
    Macro(
      "optFlatMap", "optFlatMap(x, optional) -> optional",
      "The optional that the value is transformed into, if there is one.", "${1:x}, ${2:optional}",
      on: .optional),
  ]

  static func macro(_ name: String) -> Macro? { macros.first { $0.name == name } }

  static let summaries: [String: String] = conversions.merging(texts) { first, _ in first }
    .merging(times) { first, _ in first }.merging(numbers) { first, _ in first }
    .merging(uploads) { first, _ in first }

  private static let conversions: [String: String] = [
    "bool": "Parses a Boolean such as `true`.",
    "bytes": "The UTF-8 bytes of a string.",
    "double": "Converts a number or a string to a floating-point number.",
    "duration": "Parses a duration such as `1h30m` or `10s`.",
    "dyn": "The same value, with its type checked at run time.",
    "int": "Converts a number, a string, or a timestamp (seconds since 1970) to an integer.",
    "string": "Converts a value to a string.",
    "timestamp": "Converts an RFC 3339 string, or seconds since 1970, to a timestamp.",
    "type": "The type of a value.",
    "uint": "Converts a number or a string to an unsigned integer.",
    "optional.none": "An optional without a value.",
    "optional.of": "An optional with a value.",
    "optional.ofNonZeroValue": "An optional with the value, or without one if it is empty or zero.",
    "optional.unwrap": "The values present in a list of optionals.",
    "unwrapOpt": "The values present in a list of optionals.",
    "hasValue": "Whether the optional has a value.",
    "value": "The value of the optional; an error if there is none.",
    "or": "The first of two optionals that has a value.",
    "orValue": "The value of the optional, or another if there is none.",
    "first": "The first element of the list, as an optional.",
    "last": "The last element of the list, as an optional.",
  ]

  private static let texts: [String: String] = [
    "size": "The number of characters, bytes, elements or entries.",
    "contains": "Whether the string contains the other.",
    "startsWith": "Whether the string starts with the other.",
    "endsWith": "Whether the string ends with the other.",
    "capture":
      "What the first group of a regular expression (RE2) finds in the string, or the whole match, as an optional.",
    "matches": "Whether any part of the string matches a regular expression (RE2).",
    "charAt": "The character at an index, from 0.",
    "indexOf": "The index of the first occurrence, or -1.",
    "lastIndexOf": "The index of the last occurrence, or -1.",
    "join": "The strings of the list, joined with a separator.",
    "split": "The parts between separators, up to an optional limit.",
    "replace": "The string with every occurrence, or the first few, replaced.",
    "substring": "The part of the string from one index up to, but not including, another.",
    "trim": "The string without leading and trailing white space.",
    "reverse": "The string or list in reverse order.",
    "lowerAscii": "The string with A–Z in lower case.",
    "upperAscii": "The string with a–z in upper case.",
    "format": "The string with `%s`, `%d`, `%.2f`, `%x` and so on replaced by the list's values.",
    "strings.quote": "The string as a quoted literal.",
    "base64.encode": "The bytes in base64, with padding (RFC 4648 section 4).",
    "base64.decode": "Decodes base64, with or without padding.",
  ]

  private static let times: [String: String] = [
    "getFullYear": "The year, in UTC or a time zone.",
    "getMonth": "The month, from 0, in UTC or a time zone.",
    "getDate": "The day of the month, from 1, in UTC or a time zone.",
    "getDayOfMonth": "The day of the month, from 0, in UTC or a time zone.",
    "getDayOfWeek": "The day of the week, from Sunday = 0, in UTC or a time zone.",
    "getDayOfYear": "The day of the year, from 0, in UTC or a time zone.",
    "getHours": "The hour of a timestamp, or the whole hours of a duration.",
    "getMinutes": "The minute of a timestamp, or the whole minutes of a duration.",
    "getSeconds": "The second of a timestamp, or the whole seconds of a duration.",
    "getMilliseconds": "The milliseconds within the second.",
  ]

  private static let numbers: [String: String] = [
    "math.abs": "The absolute value.",
    "math.ceil": "The number rounded up.",
    "math.floor": "The number rounded down.",
    "math.round": "The nearest integer, with halves rounded away from zero.",
    "math.trunc": "The integer part.",
    "math.sign": "-1, 0 or 1.",
    "math.sqrt": "The square root.",
    "math.isNaN": "Whether the value is NaN.",
    "math.isInf": "Whether the value is infinite.",
    "math.isFinite": "Whether the value is neither infinite nor NaN.",
    "math.bitAnd": "Bitwise AND.",
    "math.bitOr": "Bitwise OR.",
    "math.bitXor": "Bitwise exclusive OR.",
    "math.bitNot": "Bitwise NOT.",
    "math.bitShiftLeft": "Shifts bits to the left.",
    "math.bitShiftRight": "Shifts bits to the right, filling with zeros.",
  ]

  private static let uploads: [String: String] = [
    "md5": "The MD5 digest of bytes, or of a string in UTF-8.",
    "sha1": "The SHA-1 digest of bytes, or of a string in UTF-8.",
    "sha256": "The SHA-256 digest of bytes, or of a string in UTF-8.",
    "sha384": "The SHA-384 digest of bytes, or of a string in UTF-8.",
    "sha512": "The SHA-512 digest of bytes, or of a string in UTF-8.",
    "crc32": "The CRC-32 as 4 bytes, big-endian.",
    "crc32c": "The CRC-32C as 4 bytes, big-endian.",
    "crc64nvme": "The CRC-64 of NVM Express, which object stores use, as 8 bytes, big-endian.",
    "sha256_blocks_4mib":
      "The SHA-256 digest of the SHA-256 digests of all blocks of 4 MiB of bytes, or of a string in UTF-8.",
    "hmac_sha1": "The HMAC-SHA-1 of a key and a message.",
    "hmac_sha256": "The HMAC-SHA-256 of a key and a message.",
    "hex": "The bytes in lower-case hexadecimal.",
    "unhex": "Decodes hexadecimal digits of either case.",
    "base64UrlEncode": "Base64 for URLs and file names, without padding (RFC 4648 section 5).",
    "urlEscape": "Percent-encodes one segment of a path, or a part of a query (RFC 3986).",
    "urlEscapePath": "Percent-encodes a whole path; keeps `/`.",
    "urlUnescape": "Decodes percent-encoding.",
    "formEscape": "Encodes for `application/x-www-form-urlencoded`, with `+` for spaces.",
    "query": "The entries of a map as a query, in order; a list gives one pair per element.",
    "xmlEscape": "Escapes text for XML content and attributes.",
    "parts":
      "Splits a file size into parts: a list of `{number, index, offset, length}`, numbered from 1. Options: `size` (8 MiB), `min`, `multiple`, `max_count`, and `last`: `\"short\"` or `\"merge\"`.",
    "ranges":
      "Splits a file size into parts of one size: a list of `{number, index, offset, length}`.",
    "covering":
      "The list of parts that a server gave, if their `offset` and `length` cover a file of this size without gaps and overlaps; otherwise an error.",
    "groups":
      "The items that have the same key, under it: a list of `{key, items}`, in the order in which the keys first occur.",
    "partSize": "The part size in whole MiB that keeps a file within a number of parts.",
    "header": "The value of a header as an optional; names are case-insensitive.",
    "json": "The value as compact JSON.",
    "jsonHeader": "The value as ASCII-only JSON, for a header.",
    "parseJson": "Parses JSON.",
    "authParameter":
      "A parameter of the challenges in a WWW-Authenticate header (RFC 9110 section 11.6.1); empty if there is none.",
    "resolve": "The absolute URL of a reference that was found at a URL (RFC 3986 section 5).",
    "urlQuery": "The decoded members of a URL's query; of a repeated name, the first.",
    "httpDate": "The time of an HTTP date in any of its three forms (RFC 9110 section 5.6.7).",
    "seconds": "The duration of a number of seconds, or of digits in a string.",
    "xml":
      "Parses XML: a map of elements by name; attributes are `@name`. With a map from prefixes to namespaces, names have these prefixes.",
    "elements": "The XML elements at a path such as `multistatus/response`, always as a list.",
    "xmlText": "The text of an XML element, with or without attributes.",
    "fields": "The members of a header that is a dictionary of structured fields (RFC 9651).",
    "fieldList":
      "The items of a header that is a list of structured fields (RFC 9651), each `{value, parameters}`.",
    "fieldItem": "The `{value, parameters}` of a header that is one structured item (RFC 9651).",
  ]

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
