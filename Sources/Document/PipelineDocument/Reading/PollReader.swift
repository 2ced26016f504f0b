extension DocumentReader {
  func poll(_ node: YAMLNode) -> Poll<Draft>? {
    guard let fields = fields(node, .poll) else { return nil }
    return Poll(
      request: request(fields, method: "GET", timeout: RequestTemplate.defaultTimeout),
      deadline: fields["deadline"].flatMap(durationExpression))
  }

  /// The entries of `on`, and for a `poll` step the equivalent of its own keys, in the same form.
  ///
  /// An author's entry that asks again does so after the same time.
  func polled(
    _ matchers: [DraftMatcher], _ action: StepAction<Draft>?, _ fields: FieldReader
  ) -> [DraftMatcher] {
    guard case .poll? = action, let node = fields["poll"],
      case let keys = entries(of: node)
    else { return matchers }
    func entry(
      _ condition: DraftExpression?, _ word: MatcherWord, _ range: TextRange,
      message: DraftTemplate? = nil, after: DraftExpression? = nil
    ) -> DraftMatcher {
      DraftMatcher(
        condition: condition, hasCondition: true, outcome: .word(word, range), message: message,
        after: after, isProgress: false, range: range)
    }
    let after = keys["every"].flatMap { durationExpression($0.value) }
    var all = matchers
    for matcher in all where matcher.after == nil {
      if case .word(.poll, _)? = matcher.outcome { matcher.after = after }
    }
    let message = keys["message"].flatMap { template($0.value, expected: "a text") }
    if let key = keys["fail_when"] {
      all.append(
        entry(
          expression(key.value, expected: "a condition"), .fail, range(key.key), message: message))
    }
    if let key = keys["until"] {
      all.append(entry(expression(key.value, expected: "a condition"), .success, range(key.key)))
    }
    let place = keys["every"].map { range($0.key) } ?? fields.keyRange("poll") ?? fields.headRange
    let isAnswer = DraftExpression(
      source: "response.status >= 200 && response.status < 300", origin: .constant, range: place)
    all.append(entry(isAnswer, .poll, place, message: message, after: after))
    return all
  }

  /// The entries of a mapping by name; the reader of the mapping has reported their problems.
  private func entries(of node: YAMLNode) -> [String: YAMLEntry] {
    Dictionary(
      (node.mapping ?? []).compactMap { entry in entry.name.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
  }

  func checkKeys(ofPoll fields: FieldReader) {
    fields.reportUseless(
      [
        "success_if", "effect", "target", "shared_target", "idempotency", "probe", "batch",
        "results",
      ]
    ) {
      "'\($0)' has no effect together with 'poll', whose requests change nothing"
    }
  }

  func digest(_ node: YAMLNode) -> Digests<Draft>? {
    guard let fields = fields(node, .digest) else { return nil }
    return Digests(
      file: fields["file"].flatMap { expression($0, expected: "a file") },
      range: fields["range"].flatMap(byteRange), algorithms: taken(fields).map(\.algorithm))
  }

  /// The digests that a step computes, as its outputs; `nil` for other steps.
  ///
  /// Each reads the name `digest`, which only these outputs see.
  func taken(_ action: StepAction<Draft>?, _ fields: FieldReader) -> [DraftOutput]? {
    guard case .digest? = action, let list = fields["digest"]?["take"]?.sequence else { return nil }
    return list.compactMap { node in
      guard let algorithm = node.string.flatMap(DigestAlgorithm.init(rawValue:)) else { return nil }
      let place = range(node)
      let value = DraftTemplate(source: "digest.\(algorithm.rawValue)", at: place)
      return DraftOutput(
        name: Located(algorithm.rawValue, at: place), value: value)
    }
  }

  private func taken(_ fields: FieldReader) -> [(algorithm: DigestAlgorithm, range: TextRange)] {
    guard let node = fields["take"],
      let elements = filledList(
        node, "take", of: "digests", "digest", help: "for example: take: [sha256]")
    else { return [] }
    var taken: [(algorithm: DigestAlgorithm, range: TextRange)] = []
    for element in elements {
      guard let word = choice(element, of: DigestAlgorithm.self, what: "digest") else { continue }
      if let first = taken.first(where: { $0.algorithm == word.value }) {
        collector.report(
          .duplicateKey, "'\(word.value.rawValue)' is already in the list", at: word.range,
          note: ("it is first named here", first.range))
        continue
      }
      taken.append((word.value, word.range))
    }
    return taken
  }

  func checkKeys(ofDigest fields: FieldReader) {
    fields.reportUseless(["outputs", "success_if", "batch", "results"]) {
      "'\($0)' has no effect together with 'digest'"
    } help: {
      $0 == "outputs" ? "the digests under 'take' are its outputs" : nil
    }
  }

  package func batch(_ fields: FieldReader) -> DraftBatch? {
    guard let node = fields["batch"], let range = fields.keyRange("batch") else { return nil }
    let own = self.fields(node, .batch)
    return DraftBatch(
      items: own?.integer("items"), within: own?["within"].flatMap(duration),
      by: own?["by"].flatMap { expression($0, expected: "what items share a batch by") },
      isSerial: own?["serial"].flatMap(flag)?.value ?? false,
      bytes: own?["bytes"].flatMap(batchBytes), entry: own?["entry"].flatMap(json), range: range)
  }

  private func batchBytes(_ node: YAMLNode) -> DraftBatch.Bytes? {
    var limit = node
    var size: DraftExpression?
    if node.mapping != nil {
      guard let fields = fields(node, .batchBytes), let given = fields["limit"],
        let of = fields["of"].flatMap({ expression($0, expected: "a number of bytes") })
      else { return nil }
      (limit, size) = (given, of)
    }
    guard let bytes = self.size(limit) else { return nil }
    guard bytes > 0 else {
      return collector.refuse(
        .outOfRange, "'bytes' is 0, expected at least 1 byte", at: range(limit))
    }
    return DraftBatch.Bytes(limit: bytes, size: size, range: range(node))
  }

  package func results(_ fields: FieldReader) -> DraftResults? {
    guard let node = fields["results"], let range = fields.keyRange("results") else { return nil }
    let own = self.fields(node, .results)
    if let node = own?["on"], node.sequence?.isEmpty == true {
      collector.report(
        .emptyCollection, "'on' is empty, expected at least one entry", at: self.range(node))
    }
    return DraftResults(
      each: own?["each"].flatMap { expression($0, expected: "the item's result in the response") },
      matchers: own?["on"].map { matchers($0) } ?? [], range: range)
  }
}
