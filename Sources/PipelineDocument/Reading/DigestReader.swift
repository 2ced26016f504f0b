import PipelineCore
import YAMLSyntax

extension DocumentReader {
  func digest(_ node: YAMLNode) -> Digests<Draft>? {
    guard let fields = fields(node, .digest) else { return nil }
    return Digests(
      file: fields["file"].flatMap { expression($0, expected: "a file") },
      range: fields["range"].flatMap(byteRange), algorithms: taken(fields).map(\.algorithm))
  }

  /// The digests that a step takes, as its outputs; `nil` for other steps.
  ///
  /// Each reads the name `digest`, which only these outputs see.
  func taken(_ action: StepAction<Draft>?, _ fields: FieldReader) -> [DraftOutput]? {
    guard case .digest? = action, let list = fields["digest"]?["take"]?.sequence else { return nil }
    return list.compactMap { node in
      guard let algorithm = node.string.flatMap(DigestAlgorithm.init(rawValue:)) else { return nil }
      let place = range(node)
      let value = DraftTemplate(source: "digest.\(algorithm.rawValue)", at: place)
      return DraftOutput(
        name: Located(algorithm.rawValue, at: place), value: value, isSecret: false, lifetime: nil)
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
    for key in ["outputs", "success_if", "batch", "results"] {
      guard let range = fields.keyRange(key) else { continue }
      collector.report(
        .uselessKey, "'\(key)' has no effect beside 'digest'", at: range,
        help: key == "outputs" ? "the digests under 'take' are its outputs" : nil)
    }
  }
}
