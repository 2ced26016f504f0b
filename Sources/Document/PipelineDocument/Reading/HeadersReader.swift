/// Common properties of requests whose URL starts with `/`.
struct DraftDefaults {
  var url: DraftTemplate?
  var headers = DraftHeaders()
  var authorization: DraftRequest.Authorization?
  var rate: Located<String>?

  func with(_ inner: DraftDefaults) -> DraftDefaults {
    var all = self
    all.url = inner.url ?? url
    all.headers.add(inner.headers)
    all.authorization = inner.authorization ?? authorization
    all.rate = inner.rate ?? rate
    return all
  }
}

extension DocumentReader {
  func headers(_ node: YAMLNode?) -> DraftHeaders {
    var headers = DraftHeaders()
    for element in node.map({ $0.sequence ?? [$0] }) ?? [] {
      if element.mapping != nil {
        headers.add(headerFields(element))
      } else if element.scalar != nil {
        if let map = expression(element, expected: "headers by name") { headers.add(map) }
      } else {
        wrongType(element, expected: "a mapping of headers by name, or an expression")
      }
    }
    return headers
  }

  func headerFields(_ node: YAMLNode) -> [DraftField] {
    (map(node, of: "headers by name") ?? []).map { name, value in
      let isNull = value.scalarValue == .null
      return DraftField(name: name, value: isNull ? .null(at: range(value)) : template(value))
    }
  }

  func defaults(_ node: YAMLNode, on outer: DraftDefaults) -> DraftDefaults {
    guard let fields = fields(node, .defaults) else { return outer }
    let own = DraftDefaults(
      url: fields["url"].flatMap { template($0, expected: "a URL") },
      headers: headers(fields["headers"]), authorization: authorization(fields), rate: rate(fields))
    let all = outer.with(own)
    if all.url == nil, !fields.has("url") {
      collector.report(
        .missingKey,
        "'defaults' needs the key 'url': it applies to requests whose URL starts with '/'",
        at: fields.headRange, help: "for example: url: ${{ inputs.server }}")
    }
    return all
  }

  /// The URL of a request, and the defaults that apply to it: those of URLs that start with `/`.
  func url(_ node: YAMLNode?) -> (url: DraftTemplate?, defaults: DraftDefaults?) {
    guard let url = node.flatMap({ template($0, expected: "a URL") }) else { return (nil, nil) }
    guard url.leadingText.hasPrefix("/"), let before = defaults.url else { return (url, nil) }
    return (url.following(before), defaults)
  }
}

extension DraftTemplate {
  static func null(at range: TextRange) -> DraftTemplate {
    DraftTemplate(source: "null", at: range)
  }

  /// Whether it is `null`, as the author wrote it in YAML.
  var isNull: Bool {
    guard let only = onlyExpression, case .constant = only.origin else { return false }
    return only.source == "null"
  }

  /// This path after the start of a URL, with one slash between them.
  fileprivate func following(_ start: DraftTemplate) -> DraftTemplate {
    var before = start.parts
    if case .text(let text)? = before.last, text.hasSuffix("/") {
      before[before.count - 1] = .text(String(text.dropLast()))
    }
    guard case .text(let end)? = before.last, case .text(let path)? = parts.first
    else { return DraftTemplate(parts: before + parts, range: range) }
    return DraftTemplate(
      parts: before.dropLast() + [.text(end + path)] + parts.dropFirst(), range: range)
  }
}

extension DiagnosticCollector {
  /// Reports a name that no header can have.
  func reportHeader(_ name: Located<String>) {
    report(
      .invalidHeader,
      "invalid header name '\(name.value)', expected letters, digits and '-'", at: name.range)
  }
}
