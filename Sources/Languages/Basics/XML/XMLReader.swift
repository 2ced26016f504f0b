/// Reads XML 1.0 in UTF-8 with namespaces, one event after the other.
///
/// Responses of servers are hostile until proven otherwise: no document type is read, so that there are no entities; depth, size
/// and attributes are bounded, and elements are matched without recursion.
package struct XMLReader: Sendable {
  private static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  let bytes: [UInt8]
  var index = 0
  private let limits: XMLLimits
  /// The names of the open elements as written, and how many bindings were there before each.
  private var open: [(name: ArraySlice<UInt8>, bindings: Int)] = []
  /// Namespaces by prefix; the last one counts.
  private var bindings: [(prefix: String, namespace: String)] = [("xml", xmlNamespace)]
  private var hasRoot = false
  /// Whether the element that started last was empty, `<a/>`.
  private var endsAtOnce = false

  /// A reader of a whole document; throws if it is too large, or contains a code that is not a character.
  package init(
    _ bytes: some Sequence<UInt8>, limits: XMLLimits = XMLLimits()
  ) throws(XMLSyntaxError) {
    self.bytes = Array(bytes)
    self.limits = limits
    guard self.bytes.count <= limits.size
    else { throw error("the document has more than \(limits.size) bytes", at: 0) }
    try checkCharacters()
    if self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    try readDeclaration()
  }

  /// What comes next; `nil` at the end of the document.
  package mutating func next() throws(XMLSyntaxError) -> XMLEvent? {
    if endsAtOnce {
      endsAtOnce = false
      close()
      return .end
    }
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        if let text = try text() { return text }
        continue
      }
      if starts(with: "<!--") {
        try skip(past: "-->", from: index + 4, "the comment")
      } else if starts(with: "<?") {
        try skip(past: "?>", from: index + 2, "the processing instruction")
      } else if starts(with: "<![CDATA[") {
        return try literalText()
      } else if starts(with: "<!DOCTYPE") {
        throw error("a document type is not allowed: it could define entities", at: index)
      } else if starts(with: "</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
    if let last = open.last {
      throw error("the element '\(Self.shown(last.name))' is never closed", at: index)
    }
    guard hasRoot else { throw error("expected an element, found the end", at: index) }
    return nil
  }

  private mutating func close() {
    guard let last = open.popLast() else { return }
    bindings.removeLast(bindings.count - last.bindings)
  }

  private mutating func text() throws(XMLSyntaxError) -> XMLEvent? {
    let start = index
    index = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let piece = bytes[start..<index]
    guard !open.isEmpty else {
      guard let odd = piece.firstIndex(where: { !$0.isWhitespace }) else { return nil }
      let place = hasRoot ? "after the root element" : "before the root element"
      throw error("expected an element, found \(found(at: odd)) \(place)", at: odd)
    }
    return .text(String(decoding: try replaced(piece, isAttribute: false), as: UTF8.self))
  }

  private mutating func literalText() throws(XMLSyntaxError) -> XMLEvent {
    let start = index
    guard !open.isEmpty else { throw error("text outside the root element", at: start) }
    try skip(past: "]]>", from: start + 9, "the CDATA section")
    return .text(String(decoding: Self.normalized(bytes[(start + 9)..<(index - 3)]), as: UTF8.self))
  }

  private mutating func skip(
    past mark: StaticString, from start: Int, _ what: String
  ) throws(XMLSyntaxError) {
    var place = start
    while place < bytes.count {
      if starts(with: mark, at: place) {
        index = place + mark.utf8CodeUnitCount
        return
      }
      place += 1
    }
    throw error("\(what) is never closed", at: index)
  }

  private mutating func endTag() throws(XMLSyntaxError) -> XMLEvent {
    let start = index
    index += 2
    let name = try self.name("a name")
    skipSpace()
    try expect(">")
    guard let last = open.last
    else { throw error("'</\(Self.shown(name))>' closes no element", at: start) }
    guard last.name.elementsEqual(name) else {
      throw error(
        "expected '</\(Self.shown(last.name))>', found '</\(Self.shown(name))>'", at: start)
    }
    close()
    return .end
  }

  private mutating func startTag() throws(XMLSyntaxError) -> XMLEvent {
    let start = index
    index += 1
    let name = try self.name("an element")
    guard !open.isEmpty || !hasRoot
    else { throw error("a second root element '\(Self.shown(name))'", at: start) }
    guard open.count < limits.depth
    else { throw error("more than \(limits.depth) elements are open", at: start) }
    hasRoot = true
    open.append((name, bindings.count))
    let written = try writtenAttributes()
    if starts(with: "/>") {
      endsAtOnce = true
      index += 2
    } else {
      try expect(">")
    }
    let attributes = try attributes(written)
    return .start(try resolved(name, at: start + 1, isAttribute: false), attributes)
  }

  private typealias Written = (name: ArraySlice<UInt8>, value: String, offset: Int)

  private mutating func writtenAttributes() throws(XMLSyntaxError) -> [Written] {
    var attributes: [Written] = []
    while true {
      let hadSpace = skipSpace()
      guard index < bytes.count, bytes[index] != UInt8(ascii: ">"), !starts(with: "/>")
      else { return attributes }
      let start = index
      guard hadSpace else { throw error("expected '>', found \(found(at: start))", at: start) }
      guard attributes.count < limits.attributes
      else { throw error("an element has more than \(limits.attributes) attributes", at: start) }
      let name = try self.name("an attribute")
      guard !attributes.contains(where: { $0.name.elementsEqual(name) })
      else { throw error("the attribute '\(Self.shown(name))' occurs twice", at: start) }
      skipSpace()
      try expect("=")
      skipSpace()
      attributes.append((name, try attributeValue(), start))
    }
  }

  private mutating func attributeValue() throws(XMLSyntaxError) -> String {
    guard index < bytes.count, bytes[index].isQuote
    else { throw error("expected a quoted value, found \(found(at: index))", at: index) }
    let quote = bytes[index]
    guard let end = bytes[(index + 1)...].firstIndex(of: quote)
    else { throw error("the value of the attribute is never closed", at: index) }
    let piece = bytes[(index + 1)..<end]
    if let odd = piece.firstIndex(of: UInt8(ascii: "<")) {
      throw error("a value cannot contain '<'; write '&lt;'", at: odd)
    }
    let value = try replaced(piece, isAttribute: true)
    index = end + 1
    return String(decoding: value, as: UTF8.self)
  }

  /// Binds the prefixes that the attributes declare, and resolves the names of the others.
  private mutating func attributes(_ written: [Written]) throws(XMLSyntaxError) -> [XMLAttribute] {
    for attribute in written {
      let name = Self.shown(attribute.name)
      if name == "xmlns" {
        bindings.append(("", attribute.value))
      } else if name.hasPrefix("xmlns:") {
        guard !attribute.value.isEmpty
        else { throw error("the namespace of '\(name)' is empty", at: attribute.offset) }
        bindings.append((String(name.dropFirst(6)), attribute.value))
      }
    }
    var attributes: [XMLAttribute] = []
    var seen: Set<XMLName> = []
    for attribute in written {
      let name = Self.shown(attribute.name)
      guard name != "xmlns", !name.hasPrefix("xmlns:") else { continue }
      let resolved = try resolved(attribute.name, at: attribute.offset, isAttribute: true)
      guard seen.insert(resolved).inserted
      else { throw error("the attribute '\(name)' occurs twice", at: attribute.offset) }
      attributes.append(XMLAttribute(name: resolved, value: attribute.value))
    }
    return attributes
  }

  private func resolved(
    _ name: ArraySlice<UInt8>, at offset: Int, isAttribute: Bool
  ) throws(XMLSyntaxError) -> XMLName {
    let parts = Self.shown(name).split(separator: ":", omittingEmptySubsequences: false)
    let prefix = parts.count == 2 ? String(parts[0]) : ""
    guard let local = parts.last.map(String.init) else { return XMLName(local: "") }
    // The default namespace is not that of attributes (Namespaces in XML 1.0 §6.2).
    if prefix.isEmpty, isAttribute { return XMLName(local: local) }
    if let found = bindings.last(where: { $0.prefix == prefix }) {
      return XMLName(namespace: found.namespace, local: local)
    }
    guard prefix.isEmpty else { throw error("the prefix '\(prefix)' is not declared", at: offset) }
    return XMLName(local: local)
  }
}
