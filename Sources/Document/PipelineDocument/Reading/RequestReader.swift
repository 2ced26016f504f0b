extension DocumentReader {
  package func request(_ node: YAMLNode) -> DraftRequest? {
    guard let fields = fields(node, .request) else { return nil }
    return request(fields, method: "GET", timeout: RequestTemplate.defaultTimeout)
  }

  package func request(_ fields: FieldReader, method: String, timeout: Duration) -> DraftRequest {
    let bodyKey = ["json", "form", "text", "xml"].first(where: fields.has)
    let (url, defaults) = self.url(fields["url"])
    var headers = defaults?.headers ?? DraftHeaders()
    let own = self.headers(fields["headers"])
    headers.add(own)
    let isAuthorized =
      ["bearer", "basic", "credentials"].contains(where: fields.has) || own.has("authorization")
    return DraftRequest(
      method: fields["method"].flatMap { text($0, expected: "a method") }
        ?? Located(method, at: fields.headRange), url: url,
      query: fields["query"].map { self.fields(in: $0, of: "query items by name") } ?? [],
      headers: headers,
      authorization: isAuthorized ? authorization(fields) : defaults?.authorization,
      body: body(fields), bodyRange: bodyKey.flatMap(fields.keyRange),
      timeout: fields["timeout"].flatMap(self.timeout) ?? timeout,
      redirects: fields["redirects"].flatMap(redirects) ?? .follow,
      maximumResponse: fields["max_response"].flatMap(size),
      rate: rate(fields) ?? defaults?.rate,
      keepsCookies: fields.choice("cookies", of: CookieWord.self, what: "treatment of cookies")
        == .keep,
      response: fields["response"].flatMap(response),
      example: fields["example"].flatMap(example))
  }

  private func redirects(_ node: YAMLNode) -> RequestTemplate.Redirects? {
    guard node.mapping != nil else {
      return choice(node, of: RedirectWord.self, what: "redirect mode").map {
        $0.value == .follow ? .follow : .forbid
      }
    }
    guard let to = fields(node, .redirects)?["to"],
      let hosts = filledList(to, "to", of: "hosts", "host")
    else { return nil }
    let patterns = hosts.compactMap { text($0, expected: "a host") }.compactMap { host in
      let pattern = HostPattern(host.value)
      if pattern == nil {
        collector.report(
          .invalidURL, "'\(host.value)' is not a host", at: host.range,
          help: "write 'host' or '*.domain', each with or without ':port'")
      }
      return pattern
    }
    return .to(patterns)
  }

  func authorization(_ fields: FieldReader) -> DraftRequest.Authorization? {
    if let node = fields["credentials"] {
      return text(node, expected: "a credentials name").flatMap(credentials)
    }
    if let node = fields["bearer"] {
      return template(node, expected: "a token").map(DraftRequest.Authorization.bearer)
    }
    guard let node = fields["basic"], let basic = self.fields(node, .basic) else { return nil }
    return .basic(
      user: basic["user"].flatMap { template($0) },
      password: basic["password"].flatMap { template($0) })
  }

  private func credentials(_ name: Located<String>) -> DraftRequest.Authorization? {
    if let known = definitions.credentials[name.value] { return known }
    let names = definitions.credentials.keys.sorted()
    return collector.refuse(
      .unknownCredentials, "unknown credentials '\(name.value)'", at: name.range,
      help: names.isEmpty
        ? "declare them under 'credentials'" : "the credentials are \(quotedList(names))",
      nearest: nearestName(to: name.value, among: names))
  }

  private func body(_ fields: FieldReader) -> DraftRequest.Body? {
    // An upload does not have these keys, so its fields never hold one.
    if let node = fields["json"] { return .json(json(node) ?? .template(nil)) }
    if let node = fields["form"] { return .form(self.fields(in: node, of: "form fields by name")) }
    if let node = fields["text"] { return .text(template(node)) }
    if let node = fields["xml"] { return .xml(xmlTemplate(node)) }
    return nil
  }

  private func fields(in node: YAMLNode, of what: String) -> [DraftField] {
    (map(node, of: what) ?? []).map { name, value in
      DraftField(name: name, value: template(value))
    }
  }

  package func response(_ node: YAMLNode) -> DraftResponse? {
    guard let schema = fields(node, .response)?["schema"] else { return nil }
    guard schema.mapping != nil
    else { return refuse(schema, expected: "a JSON Schema as a mapping") }
    checkTypes(in: schema)
    var words: [String: [String]] = [:]
    let closed = SchemaType(isOpen: false).type(of: schema, at: "response.json", &words)
    let open = SchemaType(isOpen: true).type(of: schema, at: "response.json", &words)
    return DraftResponse(closed: closed, open: open, words: words, schema: Self.value(of: schema))
  }

  private static func value(of node: YAMLNode) -> Value {
    let node = node.resolved
    if let entries = node.mapping {
      return .map(MapValue(entries.map { ($0.name ?? "", value(of: $0.value)) }))
    }
    if let elements = node.sequence { return .list(elements.map(value)) }
    switch node.scalarValue {
    case nil, .null: return .null
    case .bool(let flag): return .bool(flag)
    case .int(let number): return .int(number)
    case .double(let number): return .double(number)
    case .bigInt(let text), .string(let text): return .string(text)
    }
  }

  /// Reports unknown JSON Schema types (2020-12, Validation §6.1.1).
  private func checkTypes(in schema: YAMLNode) {
    if let types = schema["type"] {
      for type in types.sequence ?? [types] {
        guard let word = type.string, !Self.typeWords.contains(word) else { continue }
        collector.report(
          .invalidChoice,
          "invalid JSON Schema type '\(word)', expected \(quotedList(Self.typeWords, joinedBy: "or"))",
          at: range(type), nearest: nearestName(to: word, among: Self.typeWords))
      }
    }
    for property in schema["properties"]?.mapping ?? [] { checkTypes(in: property.value) }
    for key in ["items", "additionalProperties"] { schema[key].map(checkTypes) }
  }

  private static let typeWords = [
    "object", "array", "string", "integer", "number", "boolean", "null",
  ]

  package func example(_ node: YAMLNode) -> ExampleResponse<Draft>? {
    fields(node, .example).map(responseTemplate)
  }

  package func responseTemplate(_ fields: FieldReader) -> ExampleResponse<Draft> {
    ExampleResponse(
      status: status(fields) ?? 200,
      headers: fields["headers"].map { self.fields(in: $0, of: "headers by name") } ?? [],
      body: fields["json"].map { .json(json($0) ?? .template(nil)) }
        ?? fields["text"].map { .text(template($0)) },
      delay: fields["delay"].flatMap(duration) ?? .zero)
  }

  private func status(_ fields: FieldReader) -> Int? {
    guard let status = fields.integer("status"), let node = fields["status"] else { return nil }
    guard status <= 599 else {
      return collector.refuse(
        .outOfRange, "'status' is \(status), expected at most 599", at: range(node))
    }
    return status
  }

  /// Where the key of an `idempotency` is sent, and whether the author names the place; by default the usual header.
  func keyPlace(
    _ node: YAMLNode, _ fields: FieldReader?, _ action: StepAction<Draft>?
  ) -> (place: IdempotencyKeyPlace<Located<String>>, isNamed: Bool)? {
    guard let fields else { return nil }
    if let node = fields["header"] {
      return text(node, expected: "a header name").map { (.header($0), true) }
    }
    if let node = fields["query"] {
      return text(node, expected: "the name of a query item").map { (.query($0), true) }
    }
    if let node = fields["field"] {
      guard let name = text(node, expected: "the name of a field") else { return nil }
      if let action { checkField(name, action) }
      return (.field(name), true)
    }
    return (.header(Located(Construct.idempotencyHeader, at: range(node))), false)
  }

  private func checkField(_ name: Located<String>, _ action: StepAction<Draft>) {
    var members: [String]?
    switch action.request?.body {
    case .json(.object(let object))?: members = object.map(\.key)
    // The type of a single expression is known when it is evaluated.
    case .json(.template)?: members = []
    case .form(let fields)?: members = fields.map(\.name.value)
    case .json?, .text?, .xml?, nil: break
    }
    guard let members else {
      collector.report(
        .uselessKey,
        "the idempotency key is a field, but the request has neither a 'json' object nor a 'form'",
        at: name.range, help: "send it in a header or as a query item")
      return
    }
    if members.contains(name.value) {
      collector.report(
        .conflictingKeys, "the body already has the field '\(name.value)'", at: name.range,
        help: "remove it from the body, where the key is added")
    }
  }

  func values(_ node: YAMLNode) -> [DraftField] {
    (map(node, of: "values by name") ?? []).compactMap { name, value in
      guard check(name: name, of: "the name of a value") else { return nil }
      checkReserved(name, of: "a value")
      guard !Self.rootNames.contains(name.value) else {
        return collector.refuse(
          .reservedName,
          "'\(name.value)' cannot name a value: it already has a meaning in expressions",
          at: name.range)
      }
      return DraftField(name: name, value: template(value, expected: "a value"))
    }
  }
}

/// Derives expression types from a JSON Schema.
///
/// Where a schema leaves a type open, or uses keywords that are not interpreted here, the type is `dyn`, so that nothing
/// correct is rejected.
package struct SchemaType {
  package let isOpen: Bool

  package init(isOpen: Bool) { self.isOpen = isOpen }

  package func type(
    of schema: YAMLNode, at path: String, _ words: inout [String: [String]]
  ) -> ValueType {
    guard let entries = schema.mapping else { return .dyn }
    let unread: Set<String> = [
      "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
      "patternProperties", "dependentSchemas", "prefixItems", "unevaluatedProperties",
    ]
    guard !entries.contains(where: { $0.name.map(unread.contains) ?? true }) else { return .dyn }
    let choices = schema["enum"]?.sequence?.map(\.string)
    if let choices, choices.allSatisfy({ $0 != nil }), !choices.isEmpty {
      words[path] = choices.compactMap { $0 }
      return .string
    }
    let kind = schema["type"]
    let name = kind?.sequence?.count == 1 ? kind?.sequence?.first?.string : kind?.string
    switch name {
    case "string": return .string
    case "integer": return .int
    case "boolean": return .bool
    case "array":
      return .list(schema["items"].map { type(of: $0, at: path + "[]", &words) } ?? .dyn)
    case "object": return object(schema, at: path, &words)
    case nil where kind == nil && schema["properties"] != nil:
      return object(schema, at: path, &words)
    // A JSON number becomes an int or a double, depending on its value.
    default: return .dyn
    }
  }

  private func object(
    _ schema: YAMLNode, at path: String, _ words: inout [String: [String]]
  ) -> ValueType {
    let additional = schema["additionalProperties"]
    guard let properties = schema["properties"]?.mapping
    else { return .map(.string, additional.map { type(of: $0, at: path + ".*", &words) } ?? .dyn) }
    var seen: Set<String> = []
    let fields = properties.compactMap { entry -> ObjectType.Field? in
      guard let name = entry.name, seen.insert(name).inserted else { return nil }
      return ObjectType.Field(name, type(of: entry.value, at: "\(path).\(name)", &words))
    }
    // JSON Schema allows undeclared fields by default, but an expression should only read declared ones.
    let allowsOthers = additional.map { $0.scalarValue != .bool(false) } ?? isOpen
    return .object(ObjectType(name: path, fields: fields, isOpen: allowsOthers || isOpen))
  }
}
