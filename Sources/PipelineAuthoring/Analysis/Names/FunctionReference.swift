import PipelineDocument
import PipelineScenarios
import CEL

/// What functions, macros and constants of expressions do, for people.
///
/// A test compares the names with what expressions know.
enum FunctionReference {
  /// A macro: a call whose arguments are not all values.
  struct Macro: Sendable {
    let name: String
    let signature: String
    let summary: String
    /// What is put behind the name, in the form of snippets.
    let arguments: String
    /// The kind of its target, or `nil` for a call without one.
    let target: Target?

    enum Target: Sendable { case collection, optional }
  }

  static let macros: [Macro] = [
    Macro(
      name: "has", signature: "has(a.b) -> bool", summary: "Whether the field or key is there.",
      arguments: "$1", target: nil),
    Macro(
      name: "cel.bind", signature: "cel.bind(name, value, expression)",
      summary: "Names a value within an expression.",
      arguments: "${1:name}, ${2:value}, ${3:expression}", target: nil),
    Macro(
      name: "math.greatest", signature: "math.greatest(number, …)",
      summary: "The greatest of the numbers, or of a list.", arguments: "$1", target: nil),
    Macro(
      name: "math.least", signature: "math.least(number, …)",
      summary: "The least of the numbers, or of a list.", arguments: "$1", target: nil),
    Macro(
      name: "all", signature: "all(x, condition) -> bool",
      summary: "Whether the condition holds for every element; of a map, for every key.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "exists", signature: "exists(x, condition) -> bool",
      summary: "Whether the condition holds for some element; of a map, for some key.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "exists_one", signature: "exists_one(x, condition) -> bool",
      summary: "Whether the condition holds for exactly one element.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "filter", signature: "filter(x, condition) -> list",
      summary: "The elements for which the condition holds.",
      arguments: "${1:x}, ${2:condition}", target: .collection),
    Macro(
      name: "map", signature: "map(x, value) -> list",
      summary: "What each element becomes; with three arguments only where the second holds.",
      arguments: "${1:x}, ${2:value}", target: .collection),
    Macro(
      name: "transformList", signature: "transformList(index, x, value) -> list",
      summary: "A list of what each index and element, or key and value, become.",
      arguments: "${1:index}, ${2:x}, ${3:value}", target: .collection),
    Macro(
      name: "transformMap", signature: "transformMap(key, x, value) -> map",
      summary: "A map with the same keys and new values.",
      arguments: "${1:key}, ${2:x}, ${3:value}", target: .collection),
    Macro(
      name: "transformMapEntry", signature: "transformMapEntry(key, x, {newKey: value}) -> map",
      summary: "A map of what each key and value become.",
      arguments: "${1:key}, ${2:x}, {${3:newKey}: ${4:value\\}}", target: .collection),
    Macro(
      name: "optMap", signature: "optMap(x, value) -> optional",
      summary: "What the value becomes, where there is one.",
      arguments: "${1:x}, ${2:value}", target: .optional),
    Macro(
      name: "optFlatMap", signature: "optFlatMap(x, optional) -> optional",
      summary: "The optional value that the value becomes, where there is one.",
      arguments: "${1:x}, ${2:optional}", target: .optional),
  ]

  static func macro(_ name: String) -> Macro? { macros.first { $0.name == name } }

  /// What each function does, by its name.
  static let summaries: [String: String] = conversions.merging(texts) { first, _ in first }
    .merging(times) { first, _ in first }.merging(numbers) { first, _ in first }
    .merging(uploads) { first, _ in first }

  private static let conversions: [String: String] = [
    "bool": "The truth value of a text such as `true`.",
    "bytes": "The octets of a text in UTF-8.",
    "double": "A floating-point number of a number or a text.",
    "duration": "The span of time of a text such as `1h30m` or `10s`.",
    "dyn": "The same value, its type left to run time.",
    "int": "An integer of a number, a text, or a timestamp in seconds since 1970.",
    "string": "The text of a value.",
    "timestamp": "The point in time of a text of RFC 3339, or of seconds since 1970.",
    "type": "The type of a value.",
    "uint": "An unsigned integer of a number or a text.",
    "optional.none": "An optional without a value.",
    "optional.of": "An optional with a value.",
    "optional.ofNonZeroValue": "An optional, without a value for an empty or zero one.",
    "optional.unwrap": "The values of a list of optionals, as far as they are there.",
    "unwrapOpt": "The values of a list of optionals, as far as they are there.",
    "hasValue": "Whether the optional has a value.",
    "value": "The value of the optional; an error where there is none.",
    "or": "The first of two optionals that has a value.",
    "orValue": "The value of the optional, or another where there is none.",
    "first": "The first element of the list, as an optional.",
    "last": "The last element of the list, as an optional.",
  ]

  private static let texts: [String: String] = [
    "size": "The number of characters, octets, elements or entries.",
    "contains": "Whether the text has the other in it.",
    "startsWith": "Whether the text begins with the other.",
    "endsWith": "Whether the text ends with the other.",
    "matches": "Whether some part of the text fits a regular expression (RE2).",
    "charAt": "The character at an index, from 0.",
    "indexOf": "The index of the first occurrence, -1 where there is none.",
    "lastIndexOf": "The index of the last occurrence, -1 where there is none.",
    "join": "The texts of the list, one after another, with a separator between them.",
    "split": "The pieces between separators; at most as many as told.",
    "replace": "The text with every occurrence, or the first ones, replaced.",
    "substring": "The text from an index on, up to but not with a second one.",
    "trim": "The text without white space at its ends.",
    "reverse": "The text, or the list, from back to front.",
    "lowerAscii": "The text with A–Z in lower case.",
    "upperAscii": "The text with a–z in upper case.",
    "format": "The text with `%s`, `%d`, `%.2f`, `%x` and the like replaced by the list's values.",
    "strings.quote": "The text as a quoted literal.",
    "base64.encode": "Base64 of octets, with padding (RFC 4648 section 4).",
    "base64.decode": "The octets of base64, with or without padding.",
  ]

  private static let times: [String: String] = [
    "getFullYear": "The year, in UTC or a time zone.",
    "getMonth": "The month, from 0, in UTC or a time zone.",
    "getDate": "The day of the month, from 1, in UTC or a time zone.",
    "getDayOfMonth": "The day of the month, from 0, in UTC or a time zone.",
    "getDayOfWeek": "The day of the week, Sunday is 0, in UTC or a time zone.",
    "getDayOfYear": "The day of the year, from 0, in UTC or a time zone.",
    "getHours": "The hour of a point in time; the whole hours of a span of time.",
    "getMinutes": "The minute of a point in time; the whole minutes of a span of time.",
    "getSeconds": "The second of a point in time; the whole seconds of a span of time.",
    "getMilliseconds": "The milliseconds within the second.",
  ]

  private static let numbers: [String: String] = [
    "math.abs": "The number without its sign.",
    "math.ceil": "The least whole number that is not less.",
    "math.floor": "The greatest whole number that is not greater.",
    "math.round": "The nearest whole number; halves away from zero.",
    "math.trunc": "The whole part.",
    "math.sign": "-1, 0 or 1.",
    "math.sqrt": "The square root.",
    "math.isNaN": "Whether it is no number.",
    "math.isInf": "Whether it is infinite.",
    "math.isFinite": "Whether it is neither infinite nor no number.",
    "math.bitAnd": "The bits that both have.",
    "math.bitOr": "The bits that one of both has.",
    "math.bitXor": "The bits that exactly one has.",
    "math.bitNot": "All bits turned over.",
    "math.bitShiftLeft": "The bits moved to the left.",
    "math.bitShiftRight": "The bits moved to the right, zeros moved in.",
  ]

  private static let uploads: [String: String] = [
    "md5": "The MD5 digest of octets, or of a text in UTF-8.",
    "sha1": "The SHA-1 digest of octets, or of a text in UTF-8.",
    "sha256": "The SHA-256 digest of octets, or of a text in UTF-8.",
    "sha384": "The SHA-384 digest of octets, or of a text in UTF-8.",
    "sha512": "The SHA-512 digest of octets, or of a text in UTF-8.",
    "crc32": "The CRC-32 as 4 octets, the highest first.",
    "crc32c": "The CRC-32C as 4 octets, the highest first.",
    "hmac_sha1": "The HMAC-SHA-1 of a key and a message.",
    "hmac_sha256": "The HMAC-SHA-256 of a key and a message.",
    "hex": "Two lower-case digits for each octet.",
    "unhex": "The octets of hexadecimal digits of either case.",
    "base64UrlEncode": "Base64 for URLs and file names, without padding (RFC 4648 section 5).",
    "urlEscape": "Percent-encoding for one segment of a path, or a part of a query (RFC 3986).",
    "urlEscapePath": "Percent-encoding for a whole path: `/` stays.",
    "urlUnescape": "The text of percent-encoding.",
    "formEscape": "The form of `application/x-www-form-urlencoded`: a blank is `+`.",
    "query": "The entries of a map as a query, in order; of a list one pair for each element.",
    "xmlEscape": "Text for XML content and attributes.",
    "ranges": "The parts of a file of a size: a list of maps `{index, offset, length}`.",
    "partSize": "A whole number of MiB in which a file makes at most so many parts.",
    "header": "The value of a header as an optional; names have no case.",
    "json": "JSON text without blanks.",
    "jsonHeader": "JSON text in ASCII, for a header's value.",
    "parseJson": "The value of JSON text.",
  ]
}
