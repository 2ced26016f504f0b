extension DocumentReader {
  private struct OAuth2Client {
    let maker: CredentialStepMaker
    let url: DraftTemplate
    let client, secret: DraftTemplate?
    let isInHeader: Bool
    let further: [DraftField]
    /// The proof of the client's identity, or the signed request itself.
    var signing: DraftRequest.Authorization?
    /// The field that names the client.
    var clientField = "client_id"
    /// The data that the credential store keeps of the steps, apart from the output.
    var signIn: DraftSignIn?

    /// The data that the store keeps of a step: its output at an index.
    func kept(_ output: Int?) -> DraftSignIn? {
      guard var signIn else { return nil }
      signIn.output = output
      if output == nil { signIn.asks = nil }
      return signIn
    }

    /// A request of the client with the fields of a form (RFC 6749 §2.3.1).
    func request(_ form: [DraftField], to url: DraftTemplate) -> DraftRequest {
      var form = form
      // Several requests are signed alike, each when it is sent.
      var authorization = signing?.mapped { $0?.placed }
      if case .signing(let token)? = signing, case .jwt(_, _, .clientAssertion) = token.scheme {
        form.append(
          maker.field(
            "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"))
      }
      if let client, let secret, isInHeader, signing == nil {
        authorization = .basic(user: client.placed, password: secret.placed)
      } else {
        if let client { form.append(maker.field(clientField, value: client.placed)) }
        if let secret { form.append(maker.field("client_secret", value: secret.placed)) }
      }
      return maker.request(
        method: "POST", url: url.placed, headers: [maker.field("Accept", "application/json")],
        authorization: authorization, body: .form(form))
    }

    /// The claims that servers expect of an assertion (RFC 7523 §3).
    func claims(in place: JWTPlace) -> [DraftField] {
      func claim(_ name: String, _ value: DraftTemplate) -> DraftField {
        maker.field(name, value: value.placed)
      }
      let issuer = client.map { [claim("iss", $0)] } ?? []
      let subject = place == .clientAssertion ? client.map { [claim("sub", $0)] } ?? [] : []
      return issuer + subject + [claim("aud", url)]
    }

    /// The authorization server's description of an error (RFC 6749 §5.2).
    static let words = """
      string(response.json.error) + (has(response.json.error_description) ? " (" + string(response.json.error_description) + ")" : "")
      """

    /// A refusal of the authorization server waits for the user (RFC 6749 §5.2).
    func refusal(_ advice: String) -> DraftMatcher {
      maker.matcher(
        if: "response.status in [400, 401] && has(response.json.error)", then: .pause,
        message: [
          .text("the authorization server refuses '\(maker.name.value)': "),
          maker.part(OAuth2Client.words), .text("; \(advice)"),
        ])
    }
  }

  /// Client credentials, a refresh token, or a user who signs in elsewhere (RFC 6749 §4.4, §6; RFC 8628).
  func oauth2(
    _ node: YAMLNode, _ maker: CredentialStepMaker
  ) -> (authorization: DraftRequest.Authorization, steps: [CredentialStep])? {
    guard let fields = fields(node, .oauth2),
      let url = fields["token_url"].flatMap({ template($0) })
    else { return nil }
    let client = fields["client"].flatMap { template($0) }
    let place = fields.choice("client_in", of: OAuth2ClientPlace.self, what: "place") ?? .header
    var further: [DraftField] = []
    if let scope = fields["scope"].flatMap({ template($0) }) {
      further.append(maker.field("scope", value: scope.placed))
    }
    for (name, node) in fields["parameters"].flatMap({ map($0, of: "fields by name") }) ?? [] {
      further.append(DraftField(name: name, value: template(node)?.placed))
    }
    let refresh = fields["refresh_token"].flatMap { template($0) }
    let device = fields["device_url"].flatMap { template($0) }
    guard isSound(fields) else { return nil }
    var common = OAuth2Client(
      maker: maker, url: url, client: client, secret: fields["secret"].flatMap { template($0) },
      isInHeader: place == .header, further: further)
    if let (node, place) = Self.signed(fields) {
      guard let token = jwt(node, in: place, usual: common.claims(in: place)) else { return nil }
      common.signing = token
    }
    if let name = fields["client_field"].flatMap({ text($0) }) { common.clientField = name.value }
    let steps: [CredentialStep]?
    if let device {
      steps = deviceSteps(common, device, refreshes: fields["refresh"].flatMap(flag)?.value ?? true)
    } else if let refresh {
      steps = refreshStep(
        common, refresh, [common.refusal("sign in again, and pass the new refresh token")]
      ).map { [$0] }
    } else {
      steps = [grantStep(common, of: fields)]
    }
    return steps.map { (.bearer(maker.template("steps.\(maker.id)_token.token")), $0) }
  }

  private static func signed(_ fields: FieldReader) -> (YAMLNode, JWTPlace)? {
    for place in [JWTPlace.assertion, .clientAssertion] {
      if let node = fields[place.rawValue] { return (node, place) }
    }
    return nil
  }

  /// A token for the client's own identity, or for an assertion that a key signs (RFC 6749 §4.4, RFC 7523 §2.1).
  private func grantStep(_ common: OAuth2Client, of fields: FieldReader) -> CredentialStep {
    let maker = common.maker
    let isAssertion = fields.has("assertion")
    let grant = isAssertion ? "urn:ietf:params:oauth:grant-type:jwt-bearer" : "client_credentials"
    let advice =
      isAssertion
      ? "check the key and the claims"
      : fields.has("client_assertion")
        ? "check the client, its key and the claims" : "check the client and its secret"
    return maker.step(
      "token",
      .request(
        common.request([maker.field("grant_type", grant)] + common.further, to: common.url)),
      [maker.output("token", "response.json.access_token", expires: "3600")],
      [common.refusal(advice)])
  }

  private func isSound(_ fields: FieldReader) -> Bool {
    /// Whether one of the keys is there, of which the first is reported.
    func isUseless(
      _ keys: String..., if applies: Bool, _ reason: String, help: String? = "keep one of the two"
    ) -> Bool {
      guard applies, let key = keys.first(where: fields.has), let range = fields.keyRange(key)
      else { return false }
      collector.report(.uselessKey, "'\(key)' \(reason)", at: range, help: help)
      return true
    }
    let (hasAssertion, hasDevice) = (fields.has("assertion"), fields.has("device_url"))
    if isUseless(
      "refresh_token", "device_url", "client_assertion", if: hasAssertion,
      "has no effect together with 'assertion', which obtains the token")
      || isUseless(
        "secret", "client_in", if: fields.has("client_assertion"),
        "has no effect together with 'client_assertion', which identifies the client")
    {
      return false
    }
    if !fields.has("client"), !hasAssertion || fields["assertion"]?["claims"]?["iss"] == nil {
      collector.report(
        .missingKey,
        hasAssertion
          ? "'assertion' requires the claim 'iss', or 'client', which then supplies it"
          : "'oauth2' requires 'client', unless it has an 'assertion'",
        at: fields.keyRange("assertion") ?? fields.headRange,
        help: hasAssertion ? "for example: claims: { iss: robot@example.com }" : nil)
      return false
    }
    return !isUseless(
      "refresh_token", if: hasDevice,
      "has no effect together with 'device_url', which asks the user")
      && !isUseless("refresh", if: !hasDevice, "requires 'device_url'", help: nil)
  }

  /// A token for a refresh token, which may be replaced each time (RFC 6749 §6); `nil` if something was reported.
  private func refreshStep(
    _ common: OAuth2Client, _ refresh: DraftTemplate, _ matchers: [DraftMatcher]
  ) -> CredentialStep? {
    let maker = common.maker
    guard let given = maker.source(of: refresh) else {
      return collector.refuse(
        .expressionExpected, "'refresh_token' must be one expression", at: refresh.range,
        help: "read it from an input: \"${{ inputs.refresh_token }}\"")
    }
    var common = common
    if common.signIn == nil, let client = common.client {
      common.signIn = DraftSignIn(
        name: maker.name.value, tokenURL: common.url, client: client,
        origin: maker.template("hex(sha256(string(\(given))))"))
    }
    // The credential store provides the token that is valid now; see `Interpreter.begin(_:of:stored:)`.
    let current = "previous.refresh_token != null ? previous.refresh_token : \(given)"
    let form =
      [
        maker.field("grant_type", "refresh_token"),
        maker.field("refresh_token", expression: "string(\(current))"),
      ] + common.further
    var outputs = [
      maker.output("token", "response.json.access_token", expires: "3600"),
      maker.output(
        "refresh_token",
        "string(has(response.json.refresh_token) ? response.json.refresh_token : (\(current)))"),
    ]
    if let signIn = common.signIn, signIn.asks == nil {
      // It shows later whether the token that was passed has been used.
      outputs.append(
        DraftOutput(
          name: maker.located("origin"), value: signIn.origin, isSecret: true, isSealed: true))
    }
    return maker.step(
      "token", .request(common.request(form, to: common.url)), outputs, matchers,
      signIn: common.kept(1))
  }

  /// The user signs in with any browser, and the token endpoint is polled until then (RFC 8628).
  private func deviceSteps(
    _ common: OAuth2Client, _ url: DraftTemplate, refreshes: Bool
  ) -> [CredentialStep]? {
    let maker = common.maker
    var common = common
    if let client = common.client {
      // The scope is part of a sign-in: another scope needs another one.
      let wanted = common.further.flatMap { field -> [DraftTemplate.Part] in
        [.text(" \(field.name.value)=")] + (field.value?.parts ?? [])
      }
      common.signIn = DraftSignIn(
        name: maker.name.value, tokenURL: common.url, client: client,
        origin: DraftTemplate(
          parts: [.text(refreshes ? "device " : "device token ")] + url.parts + wanted,
          range: maker.name.range), asks: maker.located("\(maker.id)_device"))
    }
    let asked = "steps.\(maker.id)_device"
    let device = Self.deviceStep(common, url)
    let form = [
      maker.field("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
      maker.field("device_code", expression: "\(asked).code"),
    ]
    let question = StepAction<Draft>.poll(
      Poll(request: common.request(form, to: common.url), deadline: maker.duration("3600")))
    let matchers = Self.signInMatchers(maker, asked)
    guard refreshes else {
      let token = maker.output(
        "token", "response.json.access_token", expires: "315360000")
      return [device, maker.step("token", question, [token], matchers, signIn: common.kept(0))]
    }
    let signedIn = maker.step(
      "sign_in", question,
      [maker.output("refresh_token", "string(response.json.refresh_token)")],
      matchers + [
        maker.matcher(
          if: "has(response.json.access_token) && !has(response.json.refresh_token)", then: .fail,
          message: [
            .text(
              "the authorization server did not issue a refresh token; request one by its scope (often offline_access), or set 'refresh: false'"
            )
          ])
      ], signIn: common.kept(0))
    let token = refreshStep(
      common, maker.template("steps.\(maker.id)_sign_in.refresh_token"),
      [
        maker.matcher(if: Self.isError("invalid_grant"), expired: "\(maker.id)_device"),
        common.refusal("check the client"),
      ])
    return token.map { [device, signedIn, $0] }
  }

  /// Asks for a code, and where to enter it (RFC 8628 §3.1).
  private static func deviceStep(_ common: OAuth2Client, _ url: DraftTemplate) -> CredentialStep {
    let maker = common.maker
    return maker.step(
      "device", .request(common.request(common.further, to: url)),
      [
        maker.output("code", "string(response.json.device_code)", expires: "600"),
        maker.output("user_code", "string(response.json.user_code)", isSecret: false),
        maker.output(
          "url",
          // The name that some servers use is older than the standard.
          "string(has(response.json.verification_uri) ? response.json.verification_uri : response.json.verification_url)",
          isSecret: false),
        maker.output(
          "interval", "has(response.json.interval) ? int(response.json.interval) : 5",
          isSecret: false),
      ], [common.refusal("check the client, and that it may sign in devices")],
      signIn: common.kept(nil))
  }

  /// The meaning of the responses to a poll for a code (RFC 8628 §3.5).
  private static func signInMatchers(
    _ maker: CredentialStepMaker, _ asked: String
  ) -> [DraftMatcher] {
    let message: [DraftTemplate.Part] = [
      .text("to sign in, open "), maker.part("\(asked).url"), .text(" and enter the code "),
      maker.part("\(asked).user_code"),
    ]
    return [
      // Some servers report with status 200 that the user has not finished yet.
      maker.matcher(
        if: isError("authorization_pending"), then: .poll, message: message,
        after: "\(asked).interval"),
      maker.matcher(
        if: isError("slow_down"), then: .poll, message: message,
        after: "\(asked).interval", slower: .seconds(5)),
      maker.matcher(if: isError("expired_token"), expired: "\(maker.id)_device"),
      maker.matcher(
        if: "has(response.json.error)", then: .pause,
        message: [
          .text("signing in for '\(maker.name.value)' failed: "), maker.part(OAuth2Client.words),
        ]),
    ]
  }

  private static func isError(_ code: String) -> String {
    "has(response.json.error) && response.json.error == '\(code)'"
  }
}
