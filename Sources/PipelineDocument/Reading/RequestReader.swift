import PipelineCore
package import YAMLSyntax

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
      ["bearer", "basic", "credentials"].contains(where: fields.has)
      || own.has("authorization")
    return DraftRequest(
      method: fields["method"].flatMap { text($0, expected: "a method") }
        ?? Located(method, at: fields.headRange),
      url: url,
      query: fields["query"].map { self.fields(in: $0, of: "query items by name") } ?? [],
      headers: headers,
      authorization: isAuthorized ? authorization(fields) : defaults?.authorization,
      body: body(fields),
      bodyRange: bodyKey.flatMap(fields.keyRange),
      timeout: fields["timeout"].flatMap(duration) ?? timeout,
      redirects: fields["redirects"].flatMap(redirects) ?? .follow,
      maximumResponse: fields["max_response"].flatMap(size),
      rate: rate(fields) ?? defaults?.rate,
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
    // An upload has none of these keys, so its fields never hold one.
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
}

enum RedirectWord: String, CaseIterable {
  case follow, forbid
}
