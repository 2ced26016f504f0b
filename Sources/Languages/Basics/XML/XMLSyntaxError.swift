/// A place where a text is not well-formed XML, or exceeds a limit.
public struct XMLSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, lower case, without a final full stop; shows names and single characters of the document, and never its text.
  public let explanation: String
  /// Where it is.
  public let position: SourcePosition
  /// The same place in octets from the start.
  public let offset: Int

  /// `line:column: explanation`.
  public var description: String { "\(position): \(explanation)" }
}

/// How much of a document a reader accepts, so that no response can exhaust memory or stack.
package struct XMLLimits: Hashable, Sendable {
  /// Most octets of a document.
  package var size: Int
  /// How many elements may be open at once.
  package var depth: Int
  /// Most attributes of an element, namespace declarations included.
  package var attributes: Int

  /// Limits; by default 16 MiB, 100 open elements and 200 attributes.
  package init(size: Int = 16 << 20, depth: Int = 100, attributes: Int = 200) {
    (self.size, self.depth, self.attributes) = (size, depth, attributes)
  }
}

/// A name with its namespace resolved (Namespaces in XML 1.0 §2.1).
package struct XMLName: Hashable, Sendable {
  /// The namespace's name, a URI; empty for none.
  package let namespace: String
  /// The name without a prefix.
  package let local: String

  package init(namespace: String = "", local: String) {
    (self.namespace, self.local) = (namespace, local)
  }
}

/// An attribute of an element; namespace declarations do not count.
package struct XMLAttribute: Hashable, Sendable {
  package let name: XMLName
  /// The value, with references replaced and white space normalized (XML 1.0 §3.3.3).
  package let value: String
}

/// The next element that a reader finds.
package enum XMLEvent: Hashable, Sendable {
  case start(XMLName, [XMLAttribute])
  /// Text inside an element, references replaced; neighbouring pieces come one by one.
  case text(String)
  /// The element that started last, and has not ended, ends.
  case end
}

/// Text in the form that XML needs.
package enum XMLText {
  /// Text for the content of an element or the value of an attribute.
  ///
  /// Control characters that XML 1.0 does not allow (§2.2) are removed; those that a reader would
  /// change (§2.11, §3.3.3) become references.
  package static func escape(_ octets: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.underestimatedCount)
    for octet in octets {
      switch octet {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case UInt8(ascii: "'"): result += "&apos;".utf8
      case 0x0D: result += "&#13;".utf8
      case 0x09, 0x0A: result.append(octet)
      case 0..<0x20: break
      default: result.append(octet)
      }
    }
    return result
  }

  /// Whether the text is a name, with at most one colon (Namespaces in XML 1.0 §4).
  package static func isName(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        part.unicodeScalars.first.map(isNameStart) == true
          && part.unicodeScalars.allSatisfy(isNamePart)
      }
  }

  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
      0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF,
      0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
    default: isNameStart(scalar)
    }
  }

  static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
