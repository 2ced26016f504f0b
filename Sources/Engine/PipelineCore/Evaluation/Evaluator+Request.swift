import Basics
import CEL

extension Evaluator {
  /// The request of `template`, ready to be sent.
  public func render(
    _ template: RequestTemplate, _ scope: Scope, at location: SourceLocation,
    idempotency: IdempotencyKey? = nil
  ) throws(EvaluationFailure) -> RenderedRequest {
    var request = RenderedRequest(
      method: template.method,
      url: try url(template, scope, at: location, idempotency), timeout: template.timeout)
    try addHeaders(of: template, scope, at: location, to: &request)
    try authorize(&request, template.authorization, scope, at: location)
    if let idempotency {
      request.key = idempotency.value
      if let name = idempotency.place.header {
        request.headers.append(.init(name: name, value: idempotency.value))
        request.keyHeader = name.lowercased()
        if idempotency.isSecret { request.secretHeaders.insert(name.lowercased()) }
      }
    }
    if let body = template.body {
      let (bytes, type) = try self.body(body, scope, at: location, idempotency)
      request.body = bytes
      if !request.omittedHeaders.contains("content-type"),
        !request.headers.contains(where: { $0.name.lowercased() == "content-type" })
      {
        request.headers.append(.init(name: "Content-Type", value: type))
      }
    }
    request.carriesSecret =
      request.secretHeaders.contains("authorization") || template.authorization != nil
      || template.expressions.contains { isSecret($0, template, scope) }
      || idempotency?.isSecret == true
    request.shown = try shown(request, of: template, scope, at: location, idempotency)
    request.redirects = template.redirects
    request.maximumResponse = template.maximumResponse
    request.hostNamedBy = hostSources(ofHostOf: request.url, template, scope)
    return request
  }

  /// The request as the user may see it: rendered again, with each expression that reads a secret replaced as a whole, so that
  /// no function can hide where its characters come from.
  private func shown(
    _ request: RenderedRequest, of template: RequestTemplate, _ scope: Scope,
    at location: SourceLocation, _ idempotency: IdempotencyKey?
  ) throws(EvaluationFailure) -> RenderedRequest.Shown? {
    guard scope.hiding == nil else { return nil }
    let secrets = template.shownExpressions.filter { isSecret($0, template, scope) }
    let key = idempotency.map {
      $0.isSecret ? IdempotencyKey(Redaction.mark, in: $0.place, isSecret: true) : $0
    }
    guard !secrets.isEmpty || key?.isSecret == true else { return nil }
    var hidden = scope
    hidden.hiding = template
    var values: [Value] = []
    // A secret itself is known to the scope.
    for secret in secrets where secret.compiled.variable == nil {
      values.append(Self.made(try value(secret, scope), besides: try value(secret, hidden)))
    }
    if let idempotency, idempotency.isSecret { values.append(.string(idempotency.value)) }
    let url = try? self.url(template, hidden, at: location, key)
      .replacing(PercentEncoding.encode(Redaction.mark), with: Redaction.mark)
    let body = try? template.body.map { body throws(EvaluationFailure) in
      try self.body(body, hidden, at: location, key).bytes
    }
    return RenderedRequest.Shown(
      url: url ?? Redaction.mark, body: body ?? Array(Redaction.mark.utf8),
      secrets: values)
  }

  /// The part of a value that was derived from secrets: a text without what `shown` has before and after them.
  private static func made(_ value: Value, besides shown: Value) -> Value {
    guard case .string(let text) = value, case .string(let shown) = shown,
      let first = shown.firstRange(of: Redaction.mark),
      let last = shown.ranges(of: Redaction.mark).last
    else { return value }
    let (before, after) = (shown[..<first.lowerBound], shown[last.upperBound...])
    guard text.hasPrefix(before), text.hasSuffix(after),
      text.utf8.count > before.utf8.count + after.utf8.count
    else { return value }
    return .string(String(text.dropFirst(before.count).dropLast(after.count)))
  }

  /// The idempotency key of a step's generation, or `nil` for a compensation: the same for each of its attempts, in any
  /// process, but different for each generation and for every other run (``RunState/keySeed``).
  ///
  /// The key of a batch is that of its first member when the batch was created,
  /// even if the batch is sent without it later.
  public func idempotencyKey(_ id: EffectID, _ scope: Scope) -> String? {
    guard case .step(let step, var generation) = id.target else { return nil }
    var item = id.item
    if let member = scope.members.first,
      let batch = member.frame[pipeline.steps[step].position].batch
    {
      item = ItemKey(loop: member.item.loop, ordinal: batch.first)
      generation = batch.generation
    }
    let part = item?.part.map { ".\($0.generation).\($0.number)" } ?? ""
    let place = item.map { "\($0.loop).\($0.ordinal)\(part)" } ?? "run"
    return "\(scope.keyPrefix)-\(place)-\(pipeline.steps[step].id)-\(generation)"
  }

  /// The author's own idempotency key, the same in each generation; `nil` if the step has no such key.
  public func authorsKey(of step: Step, _ scope: Scope) throws(EvaluationFailure) -> String? {
    guard let template = step.idempotencyKey else { return nil }
    let key = try text(template, scope)
    guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw EvaluationFailure(
        key.isEmpty
          ? "the idempotency key of step '\(step.id)' is empty"
          : "the idempotency key of step '\(step.id)', '\(redact(key, scope))', contains a character that a "
            + "key cannot contain; use urlEscape()", at: step.location)
    }
    return key
  }

  private func url(
    _ template: RequestTemplate, _ scope: Scope, at location: SourceLocation,
    _ idempotency: IdempotencyKey?
  ) throws(EvaluationFailure) -> String {
    var url = try text(template.url, scope)
    var separator = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    for item in template.query {
      url += separator + PercentEncoding.encode(item.name) + "="
      url += PercentEncoding.encode(try text(item.value, scope))
      separator = "&"
    }
    if case .query(let name)? = idempotency?.place {
      url += separator + PercentEncoding.encode(name) + "="
      url += PercentEncoding.encode(idempotency?.value ?? "")
    }
    let lowered = url.prefix(8).lowercased()
    guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://") else {
      throw EvaluationFailure(
        "'\(redact(url, scope))' is not an absolute http or https URL", at: location)
    }
    let start = url.authorityStart ?? url.startIndex
    let authority = url[start..<url.authorityEnd(after: start)]
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw EvaluationFailure(
        "the URL '\(redact(url, scope))' has a user before its host, '@\(redact(authority.split(separator: "@").last.map(String.init) ?? "", scope))'; "
          + "send the user with 'basic'", at: location)
    }
    guard authority.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw EvaluationFailure(
        "the URL '\(redact(url, scope))' has an international host name; write the host in its ASCII "
          + "form, which contains 'xn--'", at: location)
    }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw EvaluationFailure(
        "the URL '\(redact(url, scope))' contains a character that must be escaped; use urlEscape()",
        at: location)
    }
    if let mark = Self.unsent(url) {
      throw EvaluationFailure(
        "the URL '\(redact(url, scope))' contains a '\(mark)' that servers would not see as "
          + "written; put urlEscape() around the value", at: location)
    }
    return url
  }

  /// A character that silently changes a URL: text after `#` is never sent (RFC 3986 §3.5), and `%`
  /// must be followed by two hexadecimal digits (§2.1).
  private static func unsent(_ url: String) -> Character? {
    if url.utf8.contains(UInt8(ascii: "#")) { return "#" }
    guard url.utf8.contains(UInt8(ascii: "%")) else { return nil }
    let bytes = Array(url.utf8)
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
      let digits = bytes[(place + 1)...].prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else { return "%" }
    }
    return nil
  }

  /// The value of `Authorization` in a transfer's request; `nil` if it has no such header.
  public func authorization(of step: Step, _ scope: Scope) throws(EvaluationFailure) -> String? {
    guard step.kind.isTransfer, let authorization = step.action.request?.authorization
    else { return nil }
    return try self.authorization(authorization, scope, at: step.location)
  }

  /// Adds the credentials or the signature of the request when it is sent; a header without a value is not sent.
  private func authorize(
    _ request: inout RenderedRequest, _ authorization: RequestTemplate.Authorization?,
    _ scope: Scope, at location: SourceLocation
  ) throws(EvaluationFailure) {
    guard let authorization else { return }
    func set(_ name: String, _ value: String) {
      request.headers.removeAll { $0.name.lowercased() == name.lowercased() }
      request.headers.append(.init(name: name, value: value))
      request.secretHeaders.insert(name.lowercased())
    }
    switch authorization {
    case .bearer, .basic:
      let value = try self.authorization(authorization, scope, at: location)
      if let value { set("Authorization", value) }
    case .headers(let fields):
      for field in fields {
        if let value = try header(field, scope, at: location) { set(field.name, value) }
      }
    case .signing(let signing):
      request.signing = try self.signing(signing, for: request.url, scope, at: location)
    }
  }

  private func authorization(
    _ authorization: RequestTemplate.Authorization, _ scope: Scope, at location: SourceLocation
  ) throws(EvaluationFailure) -> String? {
    switch authorization {
    case .bearer(let token):
      let field = RequestTemplate.Field(name: "Authorization", value: token)
      guard let token = try header(field, scope, at: location), !token.isEmpty else { return nil }
      return "Bearer " + token
    case .basic(let user, let password):
      let pair = try text(user, scope) + ":" + text(password, scope)
      return "Basic " + Base64.encode(Array(pair.utf8))
    // The whole request is rendered again.
    case .headers, .signing: return nil
    }
  }

  private func body(
    _ body: RequestTemplate.Body, _ scope: Scope, at location: SourceLocation,
    _ idempotency: IdempotencyKey?
  ) throws(EvaluationFailure) -> (bytes: [UInt8], type: String) {
    var keyField: (name: String, value: String)?
    if let idempotency, case .field(let name) = idempotency.place {
      keyField = (name, idempotency.value)
    }
    switch body {
    case .json(let template):
      var value = try value(template, scope)
      if let keyField {
        guard case .map(var members) = value else {
          throw EvaluationFailure(
            "the idempotency key is a field, and the body is not a JSON object", at: location)
        }
        members[keyField.name] = .string(keyField.value)
        value = .map(members)
      }
      return (Array(value.jsonText().utf8), "application/json")
    case .text(let template):
      return (Array(try text(template, scope).utf8), "text/plain; charset=utf-8")
    case .xml(let template): return (Array(try xml(template, scope).utf8), "application/xml")
    case .form(let fields):
      var pairs: [String] = []
      for field in fields {
        pairs.append(
          PercentEncoding.encode(field.name) + "="
            + PercentEncoding.encode(try text(field.value, scope)))
      }
      if let keyField {
        pairs.append(
          PercentEncoding.encode(keyField.name) + "=" + PercentEncoding.encode(keyField.value))
      }
      return (Array(pairs.joined(separator: "&").utf8), "application/x-www-form-urlencoded")
    }
  }

  /// Whether the step's own idempotency key contains a secret.
  public func hasSecretKey(_ step: Step) -> Bool {
    step.idempotencyKey?.expressions.contains { expression in
      expression.compiled.references.contains { reference in
        pipeline.secretNames.contains(reference.variable)
          || step.loop.map { isElement(reference.variable, ofSecretLoop: $0) } == true
      }
    } == true
  }

  /// Whether an expression of the request reads a secret, or a value that its loop or its batch derives from one.
  func isSecret(_ expression: Expression, _ template: RequestTemplate, _ scope: Scope) -> Bool {
    expression.compiled.references.contains { isSecret($0.variable, template, scope) }
  }

  func isSecret(_ name: String, _ template: RequestTemplate, _ scope: Scope) -> Bool {
    switch name {
    case "batch.entry", "batch.entries":
      pipeline.secretBatches.contains { pipeline.steps[$0].action.request == template }
    default:
      pipeline.secretNames.contains(name)
        || scope.item.map { isElement(name, ofSecretLoop: $0.loop) } == true
    }
  }

  private func isElement(_ variable: String, ofSecretLoop loop: Int) -> Bool {
    pipeline.secretLoops.contains(loop) && pipeline.loops[loop].variable == variable
  }
}
