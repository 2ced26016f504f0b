import PipelineCore
import YAMLSyntax

extension DocumentReader {
  func credential(_ name: String, _ node: YAMLNode) -> DraftRequest.Authorization? {
    guard let fields = fields(node, .credential) else { return nil }
    if let node = fields["header"] {
      return templates(node, of: "headers by name").map(DraftRequest.Authorization.headers)
    }
    if let node = fields["aws_v4"] { return awsV4(node, name) }
    if let node = fields["shared_key"] { return signing(node, .sharedKey, .sharedKey) }
    if let node = fields["oauth1"] { return oauth1(node) }
    if let node = fields["jwt"] { return jwt(node) }
    if let node = fields["sign"] {
      guard let fields = self.fields(node, .sign), let headers = fields["headers"],
        let entries = templates(headers, of: "headers by name")
      else { return nil }
      return .signing(RequestSigning(scheme: .expressions, entries: entries))
    }
    return authorization(fields)
  }

  private func awsV4(_ node: YAMLNode, _ name: String) -> DraftRequest.Authorization? {
    guard let fields = fields(node, .awsV4) else { return nil }
    let place = fields.choice("in", of: SignaturePlace.self, what: "place") ?? .header
    let payload = fields.choice("payload", of: SignedPayload.self, what: "payload") ?? .signed
    if place == .header, let range = fields.keyRange("life") {
      collector.report(
        .uselessKey,
        "'life' requires 'in: query': a signature in a header has no lifetime of its own",
        at: range)
    }
    let life = life(fields, atMost: SigningScheme.longestURLLife)
    // Without keys, a person gives them.
    let isGiven = !fields.has("key") && !fields.has("secret")
    for (key, other) in [("key", "secret"), ("secret", "key"), ("session_token", "key")] {
      guard let range = fields.keyRange(key), !fields.has(other) else { continue }
      collector.report(
        .missingKey, "'\(key)' of 'aws_v4' requires '\(other)'", at: range,
        help: "leave out both to have them given with --credentials")
    }
    return signing(
      fields, .awsV4(place: place, payload: payload, life: life), given: isGiven ? name : nil)
  }

  private func oauth1(_ node: YAMLNode) -> DraftRequest.Authorization? {
    guard let fields = fields(node, .oauth1) else { return nil }
    if !fields.has("token"), let range = fields.keyRange("token_secret") {
      collector.report(.uselessKey, "'token_secret' requires 'token'", at: range)
    }
    let parameters = fields["parameters"].flatMap { templates($0, of: "parameters by name") }
    return signing(fields, .oauth1, entries: parameters ?? [])
  }

  /// A token that is signed here.
  ///
  /// - Parameter usual: Claims that it has unless its author names them.
  func jwt(
    _ node: YAMLNode, in place: JWTPlace = .bearer, usual: [DraftField] = []
  ) -> DraftRequest.Authorization? {
    guard let fields = fields(node, .jwt),
      let algorithm = fields["alg"].flatMap({
        choice($0, of: JWTAlgorithm.self, what: "algorithm")?.value
      })
    else { return nil }
    let claims = fields["claims"].flatMap { templates($0, of: "claims by name") } ?? []
    let missing = usual.filter { claim in !claims.contains { $0.name.value == claim.name.value } }
    return signing(
      fields, .jwt(algorithm, life: life(fields, atMost: .seconds(365 * 86400)), in: place),
      entries: missing + claims)
  }

  /// The key `life`: at least a second, and at most what the scheme allows.
  private func life(_ fields: FieldReader, atMost limit: Duration) -> Duration {
    guard let node = fields["life"], let life = duration(node)
    else { return SigningScheme.defaultLife }
    guard life >= .seconds(1), life <= limit else {
      collector.report(
        .outOfRange,
        "'life' is \(node.scalar?.text ?? ""), expected 1s to \(limit.milliseconds / 86_400_000)d",
        at: range(node))
      return SigningScheme.defaultLife
    }
    return life
  }

  private func signing(
    _ node: YAMLNode, _ name: Construct.Name, _ scheme: SigningScheme
  ) -> DraftRequest.Authorization? { fields(node, name).flatMap { signing($0, scheme) } }

  private func signing(
    _ fields: FieldReader, _ scheme: SigningScheme, entries: [DraftField] = [], given: String? = nil
  ) -> DraftRequest.Authorization? {
    var values: [DraftField] = []
    for key in fields.construct.keys {
      guard case .template = key.shape else { continue }
      guard let node = fields[key.name], let range = fields.keyRange(key.name) else {
        // It was reported.
        if key.isRequired { return nil }
        continue
      }
      values.append(
        DraftField(
          name: Located(key.name, at: range),
          value: template(node, expected: "'\(key.name)' of '\(scheme.key)'")))
    }
    return .signing(RequestSigning(scheme: scheme, values: values, entries: entries, given: given))
  }

  private func templates(_ node: YAMLNode, of what: String) -> [DraftField]? {
    map(node, of: what)?.map { name, value in DraftField(name: name, value: template(value)) }
  }
}
