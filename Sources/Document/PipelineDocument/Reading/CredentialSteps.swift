/// A step that a credential needs, before it has its place in the file.
///
/// The language has one way to obtain a value once for all, to renew it when it expires, and to let
/// everything else wait in the meantime: a step. So a credential that has to be requested is a step.
package struct CredentialStep {
  let id: String
  let action: StepAction<Draft>
  let outputs: [DraftOutput]
  let matchers: [DraftMatcher]
  var signIn: DraftSignIn?
  let range: TextRange
  let node: YAMLNode

  func step(at index: Int) -> DraftStep {
    DraftStep(
      index: index, id: Located(id, at: range), action: action, matchers: matchers,
      outputs: outputs, effectRange: range, responseKeys: [("on", range), ("effect", range)],
      signIn: signIn, range: range, node: node)
  }
}

extension DocumentReader {
  func requestedCredential(
    _ name: Located<String>, _ node: YAMLNode
  ) -> (authorization: DraftRequest.Authorization, steps: [CredentialStep])? {
    guard let fields = fields(node, .credential) else { return nil }
    let maker = CredentialStepMaker(
      id: name.value.replacing("-", with: "_"), name: name, node: node)
    if let node = fields["oauth2"] { return oauth2(node, maker) }
    if let node = fields["challenge"] { return challenge(node, maker) }
    return nil
  }

  private func challenge(
    _ node: YAMLNode, _ maker: CredentialStepMaker
  ) -> (authorization: DraftRequest.Authorization, steps: [CredentialStep])? {
    guard let fields = fields(node, .challenge), let url = fields["url"].flatMap({ template($0) })
    else { return nil }
    let basic = fields["basic"].flatMap(pair)
    let scope = fields["scope"].flatMap { template($0) }
    let realm = fields["realm"].flatMap { template($0) }
    // Values that the author specifies are not read from the challenge.
    let read = ["service"] + (realm == nil ? ["realm"] : []) + (scope == nil ? ["scope"] : [])
    let ask = maker.step(
      "challenge",
      .request(
        maker.request(method: "GET", url: url.placed, headers: [], authorization: nil, body: nil)),
      read.map { name in
        maker.output(
          name,
          "authParameter('www-authenticate' in response.headers ? response.headers['www-authenticate'] : '', '\(name)')",
          isSecret: false)
      },
      [
        maker.matcher(
          if: "response.status == 401 && 'www-authenticate' in response.headers", then: .success,
          message: nil),
        maker.matcher(
          if: "response.status >= 200 && response.status < 300", then: .fail,
          message: [
            .text("the server requests no token; leave out the credentials '\(maker.name.value)'")
          ]),
      ])
    let asked = "steps.\(maker.id)_challenge"
    if basic != nil, realm == nil {
      // A server could have the password sent anywhere (docs/decisions/0017).
      collector.report(
        .missingKey, "'challenge' with 'basic' needs 'realm', the only receiver of the password",
        at: fields.keyRange("basic") ?? fields.headRange,
        help: "for example: realm: https://auth.example.com/token")
    }
    let query = [
      maker.field("service", value: maker.template("\(asked).service")),
      maker.field("scope", value: scope?.placed ?? maker.template("\(asked).scope")),
    ]
    let request = maker.request(
      method: "GET", url: realm?.placed ?? maker.template("\(asked).realm"), query: query,
      headers: [], authorization: basic, body: nil)
    let token = maker.step(
      "token", .request(request),
      [
        maker.output(
          "token",
          "string(has(response.json.token) ? response.json.token : response.json.access_token)",
          expires: "60")
      ], [])
    return (.bearer(maker.template("steps.\(maker.id)_token.token")), [ask, token])
  }

  private func pair(_ node: YAMLNode) -> DraftRequest.Authorization? {
    fields(node, .basic).map { pair in
      .basic(
        user: pair["user"].flatMap { template($0) }?.placed,
        password: pair["password"].flatMap { template($0) }?.placed)
    }
  }

  func usedCredentials(in node: YAMLNode?) -> Set<String> {
    var names: Set<String> = []
    func visit(_ node: YAMLNode) {
      for element in node.sequence ?? [] { visit(element) }
      for entry in node.mapping ?? [] {
        if entry.name == "credentials", let name = entry.value.string { names.insert(name) }
        visit(entry.value)
      }
    }
    node.map(visit)
    return names
  }

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
    // Without keys, the user passes them.
    let isGiven = !fields.has("key") && !fields.has("secret")
    for (key, other) in [("key", "secret"), ("secret", "key"), ("session_token", "key")] {
      guard let range = fields.keyRange(key), !fields.has(other) else { continue }
      collector.report(
        .missingKey, "'\(key)' of 'aws_v4' requires '\(other)'", at: range,
        help: "leave out both to set them with --credentials")
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

  /// The key `life`: at least a second, and at most the maximum of the scheme.
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
    _ node: YAMLNode, _ name: Construct, _ scheme: SigningScheme
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

/// Makes the parts of a credential's steps; their expressions have the range of its name.
struct CredentialStepMaker {
  let id: String
  let name: Located<String>
  let node: YAMLNode
  private let made = Count()

  private final class Count { var number = 0 }

  /// An expression; each has a range of its own, because the checker identifies expressions by their ranges.
  private func expression(_ source: String) -> DraftExpression {
    made.number += 1
    return DraftExpression(source: source, origin: .constant, range: name.range.prefix(made.number))
  }

  func located(_ text: String) -> Located<String> { Located(text, at: name.range) }
  func part(_ source: String) -> DraftTemplate.Part { .expression(expression(source)) }

  func template(_ source: String) -> DraftTemplate {
    DraftTemplate(parts: [part(source)], range: name.range)
  }

  func field(_ name: String, _ text: String) -> DraftField {
    DraftField(
      name: located(name), value: DraftTemplate(parts: [.text(text)], range: self.name.range))
  }

  func field(_ name: String, expression source: String) -> DraftField {
    field(name, value: template(source))
  }

  func field(_ name: String, value: DraftTemplate?) -> DraftField {
    DraftField(name: located(name), value: value)
  }

  func source(of template: DraftTemplate) -> String? {
    template.onlyExpression.map { "(\($0.source))" }
  }

  /// An output; `expires` is the lifetime in seconds if the response has no `expires_in`.
  func output(
    _ name: String, _ source: String, expires: String? = nil, isSecret: Bool = true,
    isSealed: Bool = false
  ) -> DraftOutput {
    DraftOutput(
      name: located(name), value: template(source), isSecret: isSecret, isSealed: isSealed,
      lifetime: expires.map { seconds in
        let life = "has(response.json.expires_in) ? int(response.json.expires_in) : \(seconds)"
        return (.after(duration(life)), .seconds(30), false)
      })
  }

  func request(
    method: String, url: DraftTemplate?, query: [DraftField] = [], headers: [DraftField],
    authorization: DraftRequest.Authorization?, body: DraftRequest.Body?
  ) -> DraftRequest {
    DraftRequest(
      method: located(method), url: url, query: query,
      headers: DraftHeaders(fields: headers, maps: []), authorization: authorization, body: body,
      bodyRange: body == nil ? nil : name.range, timeout: RequestTemplate.defaultTimeout,
      redirects: .forbid, maximumResponse: nil, response: nil, example: nil)
  }

  func matcher(
    if source: String, then word: MatcherWord, message: [DraftTemplate.Part]?,
    after seconds: String? = nil, slower: Duration? = nil
  ) -> DraftMatcher {
    matcher(if: source, .word(word, name.range), message, after: seconds, slower: slower)
  }

  func matcher(if source: String, expired step: String) -> DraftMatcher {
    matcher(if: source, .expired(located(step)), nil, after: nil)
  }

  private func matcher(
    if source: String, _ outcome: DraftMatcher.Outcome, _ message: [DraftTemplate.Part]?,
    after seconds: String?, slower: Duration? = nil
  ) -> DraftMatcher {
    DraftMatcher(
      condition: expression(source), hasCondition: true, outcome: outcome,
      message: message.map { DraftTemplate(parts: $0, range: name.range) },
      after: seconds.map(duration), slower: slower, isProgress: false, range: name.range)
  }

  func duration(_ seconds: String) -> DraftExpression {
    expression("duration(string(\(seconds)) + 's')")
  }

  func step(
    _ suffix: String, _ action: StepAction<Draft>, _ outputs: [DraftOutput],
    _ matchers: [DraftMatcher], signIn: DraftSignIn? = nil
  ) -> CredentialStep {
    CredentialStep(
      id: "\(id)_\(suffix)", action: action, outputs: outputs, matchers: matchers, signIn: signIn,
      range: name.range, node: node)
  }
}
