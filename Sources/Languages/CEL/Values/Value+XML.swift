/// XML as values, by the convention that many languages' converters share: an element is a map of its children by name.
extension Value {
  /// Reads an XML document.
  ///
  /// The result is a map with one entry: the root element by its name. An element without children and attributes is its text.
  /// Any other is a map: its attributes as `@name`, then its children by name, and as `#text` its own text, if that is not
  /// white space only. A name that occurs several times among the children has a list.
  ///
  /// - Parameter namespaces: How names are written. Without it, only the local name: prefixes are the server's choice; attributes
  ///   that have a prefix, such as `xml:lang`, are left out, so that a server that adds them changes nothing. With it, the prefix
  ///   that the map has for the namespace and a colon, only the local name for the prefix `""`, and `{namespace}name` for a
  ///   namespace that the map does not have.
  /// - Throws: ``XMLSyntaxError`` for anything else than one well-formed document in UTF-8, without a document type.
  public init(
    xml bytes: some Sequence<UInt8>, namespaces: [String: String]? = nil
  ) throws(XMLSyntaxError) {
    let naming = XMLNaming(namespaces: namespaces)
    var reader = try XMLReader(bytes)
    var open = [OpenElement(name: "")]
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes):
        var element = OpenElement(name: naming.key(name))
        for attribute in attributes {
          guard let key = naming.key(ofAttribute: attribute.name) else { continue }
          element.members["@" + key] = .string(attribute.value)
        }
        open.append(element)
      case .text(let text): open[open.count - 1].text += text
      case .end:
        let element = open.removeLast()
        open[open.count - 1].add(element.value, named: element.name)
      }
    }
    self = open[0].value
  }

  /// The value as XML content: the inverse of reading.
  ///
  /// A map is an element for each entry, or for each member of a list; `null` is nothing. Inside an element, `@name` is an
  /// attribute, and `#text` its text. Throws if a list has no name, or a key is not an XML name.
  public func xmlContent() throws(EvaluationError) -> String {
    var content = ""
    switch self {
    case .null: break
    case .map(let members):
      for (key, value) in members {
        try Self.write(try Self.name(key), value, to: &content, depth: 0)
      }
    case .list: throw .argument("a list needs a name in XML, as in {\"Part\": list}")
    default: content += try escapedText()
    }
    return content
  }
}

private struct XMLNaming {
  /// Prefixes by namespace; `nil` if namespaces do not matter.
  private let prefixes: [String: String]?

  init(namespaces: [String: String]?) {
    prefixes = namespaces.map { namespaces in
      Dictionary(namespaces.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
    }
  }

  func key(_ name: XMLName) -> String {
    guard let prefixes, !name.namespace.isEmpty else { return name.local }
    guard let prefix = prefixes[name.namespace] else { return "{\(name.namespace)}\(name.local)" }
    return prefix.isEmpty ? name.local : "\(prefix):\(name.local)"
  }

  func key(ofAttribute name: XMLName) -> String? {
    prefixes == nil && !name.namespace.isEmpty ? nil : key(name)
  }
}

private struct OpenElement {
  let name: String
  var members = MapValue()
  var text = ""
  var repeated: [String: [Value]] = [:]

  var value: Value {
    guard !members.isEmpty else { return .string(text) }
    var members = members
    for (name, values) in repeated { members[name] = .list(values) }
    if text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) {
      members["#text"] = .string(text)
    }
    return .map(members)
  }

  /// Adds a child; lists are collected apart, because each copy of one in the map would cost its length.
  mutating func add(_ value: Value, named name: String) {
    if repeated[name] != nil {
      repeated[name]?.append(value)
    } else if let first = members[name] {
      repeated[name] = [first, value]
    } else {
      members[name] = value
    }
  }
}

extension Value {
  private static let maximumXMLDepth = 100

  private static func name(_ key: Value) throws(EvaluationError) -> String {
    guard case .string(let name) = key
    else { throw .argument("the name of an XML element is a string") }
    return name
  }

  private static func write(
    _ name: String, _ value: Value, to content: inout String, depth: Int
  ) throws(EvaluationError) {
    guard depth < maximumXMLDepth else { throw .argument("the elements are nested too deeply") }
    guard XMLText.isName(name) else { throw .argument("'\(name)' is not a name of an XML element") }
    switch value {
    case .null: return
    case .list(let elements):
      for element in elements {
        if case .list = element { throw .argument("a list in the list of '\(name)' has no name") }
        try write(name, element, to: &content, depth: depth)
      }
    case .map(let members): try write(name, members, to: &content, depth: depth)
    default: content += "<\(name)>" + (try value.escapedText()) + "</\(name)>"
    }
  }

  private static func write(
    _ name: String, _ members: MapValue, to content: inout String, depth: Int
  ) throws(EvaluationError) {
    var tag = "<\(name)"
    var inner = ""
    for (key, value) in members {
      let key = try self.name(key)
      if key == "#text" {
        inner += try value.escapedText()
      } else if key.hasPrefix("@") {
        let attribute = key.dropFirst()
        guard XMLText.isName(attribute)
        else { throw .argument("'\(attribute)' is not a name of an XML attribute") }
        guard !value.isNull else { continue }
        tag += " \(attribute)=\"\(try value.escapedText())\""
      } else {
        try write(key, value, to: &inner, depth: depth + 1)
      }
    }
    content += tag + (inner.isEmpty ? "/>" : ">\(inner)</\(name)>")
  }

  private func escapedText() throws(EvaluationError) -> String {
    guard let text = textValue
    else { throw .argument("XML cannot hold a value of type \(typeName)") }
    return String(decoding: XMLText.escape(text.utf8), as: UTF8.self)
  }
}
