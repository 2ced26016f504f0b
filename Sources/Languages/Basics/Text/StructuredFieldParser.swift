/// The parsing algorithms of RFC 9651 §4.2.
struct StructuredFieldParser {
  typealias Field = StructuredField
  typealias Failure = StructuredField.SyntaxError
  private let bytes: [UInt8]
  private var index = 0
  /// The largest number of members, items and parameters that a field may have; §3 asks for 1024 of each.
  private static let limit = 4096
  private var count = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func dictionary() throws(Failure) -> [(name: String, item: Field.Item)] {
    var members: [(name: String, item: Field.Item)] = []
    var places: [String: Int] = [:]
    skipBlanks()
    while index < bytes.count {
      let name = try key()
      let item: Field.Item
      if take("=") {
        item = try itemOrList()
      } else {
        item = Field.Item(value: .bare(.boolean(true)), parameters: try parameters())
      }
      if let place = places[name] {
        members[place].item = item
      } else {
        places[name] = members.count
        members.append((name, item))
      }
      guard try continues() else { break }
    }
    return members
  }

  mutating func list() throws(Failure) -> [Field.Item] {
    var items: [Field.Item] = []
    skipBlanks()
    while index < bytes.count {
      items.append(try itemOrList())
      guard try continues() else { break }
    }
    return items
  }

  mutating func wholeItem() throws(Failure) -> Field.Item {
    skipBlanks()
    let item = try item()
    skipBlanks()
    guard index == bytes.count else { throw error("expected the end") }
    return item
  }

  /// Skips the comma before another member; false at the end.
  private mutating func continues() throws(Failure) -> Bool {
    skipSpace()
    guard index < bytes.count else { return false }
    guard take(",") else { throw error("expected ','") }
    skipSpace()
    guard index < bytes.count else { throw error("expected another member") }
    return true
  }

  private mutating func itemOrList() throws(Failure) -> Field.Item {
    guard take("(") else { return try item() }
    var items: [Field.Item] = []
    while true {
      skipBlanks()
      if take(")") { return Field.Item(value: .list(items), parameters: try parameters()) }
      items.append(try item())
      guard index < bytes.count, bytes[index] == 0x20 || bytes[index] == UInt8(ascii: ")")
      else { throw error("expected a blank or ')'") }
    }
  }

  private mutating func item() throws(Failure) -> Field.Item {
    try countMember()
    return Field.Item(value: .bare(try bare()), parameters: try parameters())
  }

  private mutating func countMember() throws(Failure) {
    count += 1
    guard count <= Self.limit else { throw error("it has too many members", showsFound: false) }
  }

  private mutating func parameters() throws(Failure) -> [Field.Parameter] {
    var parameters: [Field.Parameter] = []
    while take(";") {
      try countMember()
      skipBlanks()
      let name = try key()
      let value: Field.Bare = take("=") ? try bare() : .boolean(true)
      parameters.removeAll { $0.name == name }
      parameters.append(Field.Parameter(name: name, value: value))
    }
    return parameters
  }

  private mutating func key() throws(Failure) -> String {
    let start = index
    while index < bytes.count, Self.isKeyPart(bytes[index]) { index += 1 }
    guard index > start, Self.isKeyStart(bytes[start]) else {
      index = start
      throw error("expected a name of lower-case letters")
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func bare() throws(Failure) -> Field.Bare {
    guard index < bytes.count else { throw error("expected a value") }
    switch bytes[index] {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "\""): return .string(try quoted())
    case UInt8(ascii: ":"): return try bytesValue()
    case UInt8(ascii: "?"):
      index += 1
      if take("1") { return .boolean(true) }
      if take("0") { return .boolean(false) }
      throw error("expected '?0' or '?1'")
    case UInt8(ascii: "@"):
      index += 1
      guard case .integer(let seconds) = try number()
      else { throw error("expected whole seconds after '@'", showsFound: false) }
      return .date(seconds)
    case UInt8(ascii: "%"): return .string(try displayString())
    case UInt8(ascii: "*"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      let start = index
      while index < bytes.count, bytes[index].isTokenPart || ":/".utf8.contains(bytes[index]) {
        index += 1
      }
      return .string(String(decoding: bytes[start..<index], as: UTF8.self))
    default: throw error("expected a value")
    }
  }

  private mutating func number() throws(Failure) -> Field.Bare {
    let start = index
    let isNegative = take("-")
    let digits = digits()
    guard !digits.isEmpty else { throw error("expected a digit") }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else {
      guard digits.count <= 15, let number = Int64(digits)
      else { throw error("a whole number has at most 15 digits", showsFound: false) }
      return .integer(isNegative ? -number : number)
    }
    index += 1
    let fraction = self.digits()
    guard digits.count <= 12, (1...3).contains(fraction.count),
      let number = Double(String(decoding: bytes[start..<index], as: UTF8.self))
    else {
      throw error("a decimal has at most 12 digits before and 3 after the point", showsFound: false)
    }
    return .decimal(number)
  }

  private mutating func digits() -> String {
    let start = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quoted() throws(Failure) -> String {
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard index < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[index])
        else { throw error("expected '\"' or '\\' after '\\'") }
        text.append(bytes[index])
        index += 1
      case 0x20..<0x7F: text.append(byte)
      default:
        index -= 1
        throw error("expected a printable ASCII character")
      }
    }
    throw error("expected '\"'")
  }

  private mutating func bytesValue() throws(Failure) -> Field.Bare {
    let start = index + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ":"))
    else { throw error("expected ':' after the base64", showsFound: false) }
    guard let decoded = Base64.decode(String(decoding: bytes[start..<end], as: UTF8.self))
    else { throw error("expected base64 between colons", showsFound: false) }
    index = end + 1
    return .bytes(decoded)
  }

  /// `%"…"`: percent-encoded UTF-8 (§4.2.10).
  private mutating func displayString() throws(Failure) -> String {
    index += 1
    guard take("\"") else { throw error("expected '\"' after '%'") }
    let start = index
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\"")),
      bytes[start..<end].allSatisfy({ (0x20..<0x7F).contains($0) }),
      let octets = PercentEncoding.decode(Array(bytes[start..<end])),
      let text = String(validating: octets, as: UTF8.self)
    else { throw error("expected percent-encoded UTF-8 and '\"'", showsFound: false) }
    index = end + 1
    return text
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard index < bytes.count, UInt32(bytes[index]) == mark.value else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
  }

  /// Skips optional white space, as between lines that were joined.
  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
  }

  private static func isKeyStart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "*")
  }

  private static func isKeyPart(_ byte: UInt8) -> Bool {
    isKeyStart(byte) || byte.isDigit || "_-.".utf8.contains(byte)
  }

  private func error(_ message: String, showsFound: Bool = true) -> Failure {
    guard showsFound else { return Failure(message: message, offset: index) }
    let found = index < bytes.count ? "'\(Unicode.Scalar(bytes[index]))'" : "the end"
    return Failure(message: "\(message), found \(found)", offset: index)
  }
}
