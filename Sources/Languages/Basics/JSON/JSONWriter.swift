/// Writes JSON text (RFC 8259) piece by piece; the caller keeps objects and arrays in balance.
public struct JSONWriter: Sendable {
  /// The characters that are written as escape sequences.
  public enum Escapes: Sendable {
    /// Those for which there is no other way.
    case needed
    /// The character Delete too, which terminals do not show.
    case controls
    /// Every code point beyond printable ASCII too, as a header field needs it.
    case nonASCII
  }

  /// The text so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  private let escapes: Escapes
  private var needsComma = false
  private var isAfterKey = false

  /// Starts a text, which is on one line without blanks.
  public init(escapes: Escapes = .needed) { self.escapes = escapes }

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
  /// A whole text in lines, as ``JSONNode/indentedText``.
  public var indentedText: String { (try? JSONReader().read(bytes).root.indentedText) ?? text }

  /// An object with the members that `body` writes.
  public mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) {
    begin(key, UInt8(ascii: "{"))
    body(&self)
    end(UInt8(ascii: "}"))
  }

  /// An array of the elements that `body` writes.
  public mutating func array(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) {
    begin(key, UInt8(ascii: "["))
    body(&self)
    end(UInt8(ascii: "]"))
  }

  /// Writes a text, escaped as JSON requires (RFC 8259 §7).
  public mutating func string(_ key: String? = nil, _ text: String) {
    prefix(key)
    quote(text)
  }

  /// A whole number.
  public mutating func int(_ key: String? = nil, _ number: some BinaryInteger) {
    if let small = Int(exactly: number) { int(key, small) } else { raw(key, String(number)) }
  }

  /// A whole number, written without a string in between: checkpoints are full of them.
  public mutating func int(_ key: String? = nil, _ number: Int) {
    prefix(key)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let first = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[first...].reverse()
  }

  /// A number; `null` where it is not finite.
  public mutating func double(_ key: String? = nil, _ number: Double) {
    raw(key, number.isFinite ? "\(number)" : "null")
  }

  /// A number as `text` writes it.
  public mutating func number(_ key: String? = nil, text: String) { raw(key, text) }

  /// A truth value.
  public mutating func bool(_ key: String? = nil, _ flag: Bool) {
    raw(key, flag ? "true" : "false")
  }

  /// The value `null`.
  public mutating func null(_ key: String? = nil) { raw(key, "null") }

  /// The name of the member whose value comes next.
  public mutating func key(_ name: String) {
    prefix(nil)
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    isAfterKey = true
  }

  private mutating func raw(_ key: String?, _ text: String) {
    prefix(key)
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func begin(_ key: String?, _ bracket: UInt8) {
    prefix(key)
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func prefix(_ key: String?) {
    if let key { self.key(key) }
    guard !isAfterKey else {
      isAfterKey = false
      return
    }
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if case .nonASCII = escapes {
      for scalar in text.unicodeScalars {
        if scalar.isASCII { ascii(UInt8(scalar.value)) } else { escape(scalar) }
      }
    } else {
      var text = text
      text.withUTF8 { octets in
        var start = 0
        for index in octets.indices {
          let octet = octets[index]
          guard octet < 0x20 || octet == 0x22 || octet == 0x5C || octet == 0x7F else { continue }
          bytes.append(contentsOf: octets[start..<index])
          ascii(octet)
          start = index + 1
        }
        bytes.append(contentsOf: octets[start...])
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func ascii(_ octet: UInt8) {
    switch octet {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), octet]
    case 0x0A: bytes += "\\n".utf8
    case 0x0D: bytes += "\\r".utf8
    case 0x09: bytes += "\\t".utf8
    case 0..<0x20: escape(Unicode.Scalar(octet))
    case 0x7F:
      if case .needed = escapes { bytes.append(octet) } else { escape(Unicode.Scalar(octet)) }
    default: bytes.append(octet)
    }
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      bytes += "\\u".utf8
      bytes += Hexadecimal.text([UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]).utf8
    }
  }
}

extension JSONNode {
  /// The value as JSON text on one line, numbers as they were written.
  public var compactText: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  /// The value as JSON text in lines of at most 100 columns, where its strings allow it: a value that does not fit has each
  /// element on a line, indented by two spaces a level.
  public var indentedText: String {
    var text = ""
    write(to: &text, "", columns: 100)
    return text
  }

  private func write(to writer: inout JSONWriter) {
    switch value {
    case .null: writer.null()
    case .bool(let flag): writer.bool(nil, flag)
    case .number(let number): writer.number(text: number.text)
    case .string(let string): writer.string(nil, string)
    case .array(let items): writer.array { for item in items { item.write(to: &$0) } }
    case .object(let members):
      writer.object {
        for member in members {
          $0.key(member.key)
          member.value.write(to: &$0)
        }
      }
    }
  }

  private func write(to text: inout String, _ indent: String, columns: Int) {
    if let line = line(columns: columns) {
      text += line
      return
    }
    let inner = indent + "  "
    let elements = elements
    let isList = items != nil
    text += isList ? "[" : "{"
    for (place, element) in elements.enumerated() {
      text += (place > 0 ? "," : "") + "\n" + inner + element.key
      element.value.write(
        to: &text, inner, columns: 100 - inner.count - element.key.unicodeScalars.count - 1)
    }
    text += "\n" + indent + (isList ? "]" : "}")
  }

  /// The value on one line with blanks, if it fits; a scalar always does.
  private func line(columns: Int) -> String? {
    guard items != nil || members != nil else { return compactText }
    var line = items != nil ? "[" : "{ "
    for (place, element) in elements.enumerated() {
      line += (place > 0 ? ", " : "") + element.key
      guard let value = element.value.line(columns: columns - line.unicodeScalars.count)
      else { return nil }
      line += value
      guard line.unicodeScalars.count < columns else { return nil }
    }
    return elements.isEmpty ? compactText : line + (items != nil ? "]" : " }")
  }

  /// The elements with their keys as text, such as `"name": `.
  private var elements: [(key: String, value: JSONNode)] {
    items?.map { ("", $0) } ?? members?.map {
      (JSONNode(.string($0.key)).compactText + ": ", $0.value)
    } ?? []
  }
}
