public import Basics

extension Value {
  /// Reads a JSON document, RFC 8259.
  ///
  /// Unlike in the specification's mapping, where every number is a double, a number without a fraction
  /// or an exponent becomes an `int` if it fits in 64 bits with a sign, and a `uint` if it fits without
  /// one; others become doubles. An integer beyond 64 bits would lose digits, and a number beyond the
  /// range of doubles would become infinite, so both are errors. The members of an object keep their
  /// order; for a repeated name the last value is kept.
  ///
  /// - Parameter maximumDepth: How deep lists and objects may be nested.
  /// - Throws: ``JSONSyntaxError`` for anything else than one document in UTF-8.
  public init(json bytes: some Sequence<UInt8>, maximumDepth: Int = 200) throws(JSONSyntaxError) {
    let result: Result<Value, JSONSyntaxError> = Array(bytes).withUnsafeBufferPointer {
      Self.read($0, maximumDepth)
    }
    self = try result.get()
  }

  /// Parses a JSON document, with the same rules as from bytes.
  public init(json text: String) throws(JSONSyntaxError) { try self.init(json: text.utf8) }

  /// The value as JSON text without white space.
  ///
  /// Integers are numbers of any size; a double that is not finite is the string `NaN`,
  /// `Infinity` or `-Infinity`; bytes are base64, timestamps RFC 3339, durations seconds as in
  /// `"3.5s"`; an absent optional is `null`; a type is its name. Keys that are not strings become
  /// their text.
  ///
  /// - Parameter escapingNonASCII: whether every code point beyond ASCII becomes `\u` and its
  ///   UTF-16 code units, as a header field needs it.
  public func jsonText(escapingNonASCII: Bool = false) -> String {
    var writer = JSONWriter(escapes: escapingNonASCII ? .nonASCII : .controls)
    write(to: &writer)
    return writer.text
  }
}

extension Value {
  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ maximumDepth: Int
  ) -> Result<Value, JSONSyntaxError> {
    var scanner = JSONScanner(bytes: bytes, maximumDepth: maximumDepth)
    do throws(JSONSyntaxError) {
      try scanner.begin()
      let value = try read(&scanner)
      try scanner.end()
      return .success(value)
    } catch { return .failure(error) }
  }

  private static func read(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Value {
    let start = scanner.position
    switch try scanner.token() {
    case .object:
      try scanner.open()
      var map = MapValue()
      while let key = try scanner.key(from: start) { map[key.text] = try read(&scanner) }
      return .map(map)
    case .array:
      try scanner.open()
      var elements: [Value] = []
      while try scanner.element(from: start) { elements.append(try read(&scanner)) }
      return .list(elements)
    case .string: return .string(try scanner.string())
    case .number: return try number(&scanner)
    case .bool(let flag): return .bool(flag)
    case .null: return .null
    }
  }

  private static func number(_ scanner: inout JSONScanner) throws(JSONSyntaxError) -> Value {
    let start = scanner
    let (text, isInteger) = try scanner.number()
    if isInteger {
      if let integer = Int64(text) { return .int(integer) }
      if let integer = UInt64(text) { return .uint(integer) }
      throw start.beyondRange("a whole number does not fit in 64 bits")
    }
    guard let number = Double(text), number.isFinite else {
      throw start.beyondRange("a number is beyond 1.8e308")
    }
    return .double(number)
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null, .optional(nil): writer.null()
    case .bool(let truth): writer.bool(nil, truth)
    case .int(let number): writer.int(nil, number)
    case .uint(let number): writer.int(nil, number)
    case .double(let number):
      if number.isFinite {
        writer.number(text: doubleText(number))
      } else {
        writer.string(nil, doubleText(number))
      }
    case .string(let text): writer.string(nil, text)
    case .bytes(let octets): writer.string(nil, Base64.encode(octets))
    case .timestamp(let time): writer.string(nil, time.rfc3339)
    case .duration(let span): writer.string(nil, durationText(span))
    case .type(let type): writer.string(nil, type.name)
    case .optional(let wrapped?): wrapped.write(to: &writer)
    case .list(let elements): writer.array { for element in elements { element.write(to: &$0) } }
    case .map(let map):
      writer.object {
        for entry in map.entries {
          $0.key(entry.key.memberName)
          entry.value.write(to: &$0)
        }
      }
    }
  }

  private var memberName: String {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    case .uint(let number): String(number)
    default: description
    }
  }
}
