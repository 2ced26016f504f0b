extension Value {
  /// Reads a JSON document, RFC 8259, in UTF-8.
  ///
  /// A number without a fraction or an exponent becomes an `int` or a `uint`, any other a double. What would lose
  /// digits or be infinite is an error. Members keep their order; of a repeated name the last value counts.
  public init(json bytes: some Sequence<UInt8>, maximumDepth: Int = 200) throws(JSONSyntaxError) {
    let result: Result<Value, JSONSyntaxError> = Array(bytes).withUnsafeBufferPointer {
      Self.read($0, maximumDepth)
    }
    self = try result.get()
  }

  /// Parses a JSON document, with the same rules as from bytes.
  public init(json text: String) throws(JSONSyntaxError) { try self.init(json: text.utf8) }

  /// The value as JSON text without white space; `escapingNonASCII` suits header fields.
  ///
  /// A double that is not finite is a string, bytes are base64, timestamps RFC 3339, durations seconds as in
  /// `"3.5s"`; an absent optional is `null`, a type its name, and a key its text.
  public func jsonText(escapingNonASCII: Bool = false) -> String {
    var writer = JSONWriter(escapes: escapingNonASCII ? .nonASCII : .controls)
    write(to: &writer)
    return writer.text
  }

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
    guard let number = Double(text), number.isFinite
    else { throw start.beyondRange("a number is beyond 1.8e308") }
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
