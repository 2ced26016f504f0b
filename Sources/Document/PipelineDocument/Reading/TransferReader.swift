extension DocumentReader {
  package func upload(_ node: YAMLNode) -> Upload<Draft>? {
    guard let fields = fields(node, .upload) else { return nil }
    let transfer = transfer(fields)
    return Upload(
      request: request(fields, method: "PUT", timeout: transfer.resourceTimeout),
      file: fields["file"].flatMap { expression($0, expected: "a file") },
      range: fields["range"].flatMap(byteRange), trailers: trailers(fields["trailers"]),
      transfer: transfer)
  }

  private func trailers(_ node: YAMLNode?) -> [DraftField] {
    (node.flatMap { map($0, of: "fields by name") } ?? []).map { name, value in
      check(trailer: name)
      return DraftField(name: name, value: template(value))
    }
  }

  private func check(trailer name: Located<String>) {
    if !name.value.isToken {
      collector.report(
        .invalidTrailer,
        "invalid field name '\(name.value)', expected letters, digits and '-'", at: name.range)
    } else if Self.forbiddenTrailers.contains(name.value.lowercased()) {
      collector.report(
        .invalidTrailer, "'\(name.value)' cannot follow the body", at: name.range,
        help: "servers need it before the body: write it under 'headers'")
    }
  }

  /// Framing, routing, modifiers of the request, authentication and content (RFC 9110 §6.5.1), and fields of the connection.
  private static let forbiddenTrailers: Set<String> = [
    "content-length", "transfer-encoding", "trailer", "host", "connection", "keep-alive", "te",
    "upgrade", "expect", "max-forwards", "pragma", "range", "if-match", "if-none-match",
    "if-modified-since", "if-unmodified-since", "if-range", "cache-control", "authorization",
    "proxy-authorization", "cookie", "content-encoding", "content-type", "content-range",
  ]

  func byteRange(_ node: YAMLNode) -> Materialize<Draft>.ByteRange? {
    fields(node, .range).map { range in
      Materialize<Draft>.ByteRange(
        offset: range["offset"].flatMap { expression($0, expected: "a number of bytes") },
        length: range["length"].flatMap { expression($0, expected: "a number of bytes") })
    }
  }

  package func download(_ node: YAMLNode) -> Download<Draft>? {
    guard let fields = fields(node, .download) else { return nil }
    let transfer = transfer(fields)
    return Download(
      request: request(fields, method: "GET", timeout: transfer.resourceTimeout),
      name: fields["to"].map { template($0, expected: "a name") },
      size: fields["size"].map(sizeExpression),
      expected: requiredDigests(fields), maximumSize: fields["max_size"].flatMap(size),
      digests: digests(fields), save: fields["save"].flatMap(saving), transfer: transfer)
  }

  private func requiredDigests(_ fields: FieldReader) -> [ExpectedDigest<Draft>] {
    if let node = fields["sha256"] {
      return [ExpectedDigest(.sha256, template(node, expected: "a digest"))]
    }
    guard let node = fields["digest"], let digests = self.fields(node, .requiredDigest)
    else { return [] }
    let found = DigestAlgorithm.allCases.compactMap { algorithm in
      digests[algorithm.rawValue].map { value in
        ExpectedDigest<Draft>(
          algorithm,
          value.scalarValue == .null
            ? .null(at: range(value)) : template(value, expected: "a digest"))
      }
    }
    if found.isEmpty, node.mapping?.count == 0 {
      collector.report(
        .missingKey, "'digest' does not name an algorithm", at: range(node),
        help: "for example: digest: { sha256: \"${{ entry.sha256 }}\" }")
    }
    return found
  }

  private func saving(_ node: YAMLNode) -> Saving<Draft>? {
    guard let fields = fields(node, .save) else { return nil }
    return Saving(
      folder: fields["folder"].flatMap {
        expression($0, expected: "an input of the type 'folder'")
      },
      name: fields["name"].map { template($0, expected: "a path") } ?? nil,
      existing: fields.choice(
        "existing", of: ExistingFile.self, what: "treatment of an existing file") ?? .refuse)
  }

  func digests(_ fields: FieldReader) -> [DigestAlgorithm] {
    let named = fields["digests"].flatMap { list($0, of: "digests") }?.compactMap {
      choice($0, of: DigestAlgorithm.self, what: "digest")?.value
    }
    return DigestAlgorithm.allCases.filter { named?.contains($0) == true }
  }

  private func sizeExpression(_ node: YAMLNode) -> DraftExpression? {
    if node.scalar?.text.firstRange(of: "${{") != nil {
      return expression(node, expected: "a number of bytes")
    }
    return size(node).map {
      DraftExpression(source: "\($0)", origin: .constant, range: range(node))
    }
  }

  package func transfer(_ fields: FieldReader) -> TransferOptions<Draft> {
    let network = fields["network"].flatMap { self.fields($0, .network) }
    func may(_ key: String) -> Bool { network?[key].flatMap(flag)?.value ?? true }
    return TransferOptions(
      requestTimeout: fields["request_timeout"].flatMap(timeout)
        ?? TransferPolicy.defaultRequestTimeout,
      responseTimeout: fields["response_timeout"].flatMap(timeout)
        ?? TransferPolicy.defaultResponseTimeout,
      resourceTimeout: fields["resource_timeout"].flatMap(timeout)
        ?? TransferPolicy.defaultResourceTimeout,
      priority: fields.number("priority") ?? TransferPolicy.defaultPriority,
      isDiscretionary: fields["discretionary"].flatMap(flag)?.value ?? false,
      earliest: fields["earliest"].map(durationExpression),
      network: NetworkUse(
        cellular: may("cellular"), expensive: may("expensive"), constrained: may("constrained")),
      renewals: Set(
        fields["renew"].flatMap { list($0, of: "words") }?.compactMap {
          choice($0, of: Renewal.self, what: "renewal time")?.value
        } ?? []))
  }

  func session(_ node: YAMLNode) -> String? {
    guard let text = text(node, expected: "a session identifier") else { return nil }
    let scalars = text.value.unicodeScalars
    guard let first = scalars.first, first.isIdentifierPart, first != "_",
      scalars.allSatisfy({ $0.isIdentifierPart || $0 == "." || $0 == "-" })
    else {
      return collector.refuse(
        .invalidName,
        """
        invalid session identifier '\(text.value)', expected letters, digits, '.', '_' or '-', starting with a letter or a digit
        """, at: text.range)
    }
    return text.value
  }

  package func materialize(_ node: YAMLNode) -> Materialize<Draft>? {
    guard let fields = fields(node, .materialize) else { return nil }
    if !fields.has("file"), let range = fields.keyRange("range") {
      collector.report(.uselessKey, "'range' requires 'file'", at: range)
    }
    guard let source = source(fields) else { return nil }
    return Materialize(source: source, digests: digests(fields))
  }

  private func source(_ fields: FieldReader) -> Materialize<Draft>.Source? {
    if let node = fields["file"] {
      return .file(expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange))
    }
    if let node = fields["multipart"] { return .multipart(parts(node)) }
    if let node = fields["json"] { return .json(json(node) ?? .template(nil)) }
    if let node = fields["text"] { return .text(template(node)) }
    if let node = fields["xml"] { return .xml(xmlTemplate(node)) }
    if let node = fields["concat"] { return .concat(pieces(node)) }
    return nil
  }

  private func pieces(_ node: YAMLNode) -> [Materialize<Draft>.Piece] {
    (filledList(node, "concat", of: "pieces", "piece") ?? []).compactMap { node in
      guard let fields = fields(node, .piece) else { return nil }
      if !fields.has("file"), let range = fields.keyRange("range") {
        collector.report(.uselessKey, "'range' requires 'file'", at: range)
      }
      if let node = fields["file"] {
        return .file(
          expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange))
      }
      return fields["text"].map { .text(template($0)) }
    }
  }

  private func parts(_ node: YAMLNode) -> [Materialize<Draft>.Part] {
    (filledList(node, "multipart", of: "parts", "part") ?? []).compactMap(part)
  }

  private func part(_ node: YAMLNode) -> Materialize<Draft>.Part? {
    guard let fields = fields(node, .part) else { return nil }
    for key in ["filename", "range"] where !fields.has("file") {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(.uselessKey, "'\(key)' requires 'file'", at: range)
    }
    let content: Materialize<Draft>.Part.Content =
      if let node = fields["file"] {
        .file(
          expression(node, expected: "a file"), range: fields["range"].flatMap(byteRange),
          filename: fields["filename"].map { template($0) })
      } else { .text(fields["text"].flatMap { template($0) }) }
    return Materialize<Draft>.Part(
      name: fields["name"].flatMap { token($0)?.value } ?? "", content: content,
      contentType: fields["content_type"].flatMap { token($0)?.value },
      headers: fields["headers"].map(partHeaders) ?? [])
  }

  private func partHeaders(_ node: YAMLNode) -> [DraftField] {
    let fields = headerFields(node)
    for field in fields {
      let name = field.name.value.lowercased()
      if !field.name.value.isToken {
        collector.reportHeader(field.name)
      } else if name == "content-type" || name == "content-disposition" {
        collector.report(
          .invalidHeader, "the header '\(field.name.value)' of a part comes from its other keys",
          at: field.name.range,
          help: name == "content-type" ? "write 'content_type'" : "write 'name' and 'filename'")
      }
    }
    return fields
  }

  /// Single-line text, which the header of a part can carry.
  private func token(_ node: YAMLNode) -> Located<String>? {
    guard let text = text(node) else { return nil }
    guard text.value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return collector.refuse(
        .invalidHeader, "control characters are not allowed here", at: text.range)
    }
    return text
  }

  func xmlTemplate(_ node: YAMLNode) -> DraftTemplate? {
    guard let template = template(node, expected: "XML text") else { return nil }
    var text = ""
    var expected = 0
    for part in template.parts {
      switch part {
      case .text(let piece): text += piece
      case .expression(let expression):
        // Of the same length as the expression, so that positions do not change.
        let length = expression.source.unicodeScalars.count + 5
        text += String(repeating: Character(Self.placeholder), count: length)
        expected += length
      }
    }
    do throws(XMLSyntaxError) {
      var reader = try XMLReader(text.utf8)
      var found = 0
      while let event = try reader.next() {
        switch event {
        case .start(_, let attributes): found += attributes.reduce(0) { $0 + Self.count($1.value) }
        case .text(let text): found += Self.count(text)
        case .end: break
        }
      }
      guard found != expected else { return template }
      collector.report(
        .invalidXML,
        "an expression can only be part of an element's text or of an attribute's value",
        at: range(node))
    } catch {
      // A missing end is reported at the last character, which may be a line break above the end.
      let all = text.unicodeScalars.reversed().drop { $0 == "\n" }.count
      let place = min(
        String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).unicodeScalars.count,
        max(0, all - 1))
      collector.report(
        .invalidXML, "the text is not XML: \(Self.words(error))",
        at: range(place..<min(place + 1, all), in: node))
    }
    return nil
  }

  /// A character for private use, which no name contains.
  private static let placeholder: Unicode.Scalar = "\u{E000}"

  private static func count(_ text: String) -> Int {
    text.unicodeScalars.count { $0 == placeholder }
  }

  private static func words(_ error: XMLSyntaxError) -> String {
    error.explanation.unicodeScalars.contains(placeholder)
      ? "an expression is not possible here" : error.explanation
  }
}
