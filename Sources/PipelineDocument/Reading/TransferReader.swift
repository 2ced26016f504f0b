package import PipelineCore
package import YAMLSyntax

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
      TrailerRule.check(name, collector)
      return DraftField(name: name, value: template(value))
    }
  }

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
    guard let node = fields["digest"], let digests = self.fields(node, .requiredDigest) else {
      return []
    }
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
        .missingKey, "'digest' names no algorithm", at: range(node),
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

  /// A size, as an expression: a constant becomes an int.
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
      requestTimeout: fields["request_timeout"].flatMap(duration)
        ?? TransferPolicy.defaultRequestTimeout,
      resourceTimeout: fields["resource_timeout"].flatMap(duration)
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
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    let bytes = text.value.utf8
    guard let first = bytes.first, isAlphanumeric(first),
      bytes.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) })
    else {
      return collector.refuse(
        .invalidName,
        """
        invalid session identifier '\(text.value)', expected letters, digits, '.', '_' or '-', starting with a letter or a digit
        """, at: text.range)
    }
    return text.value
  }
}
