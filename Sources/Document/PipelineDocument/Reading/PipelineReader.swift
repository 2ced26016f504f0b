extension DocumentReader {
  package func pipeline(_ root: YAMLNode) -> DraftPipeline? {
    guard let fields = fields(root, .pipeline) else { return nil }
    checkVersion(fields)
    let reader = DocumentReader(
      document: document, collector: collector, used: used, path: path,
      definitions: definitions(fields))
    return reader.reader(defaults: fields["defaults"]).pipeline(fields, root)
  }

  private func pipeline(_ fields: FieldReader, _ root: YAMLNode) -> DraftPipeline {
    let used = definitions.credentialSteps.isEmpty ? [] : usedCredentials(in: root)
    let credentialSteps = definitions.credentialSteps.sorted { $0.key < $1.key }.filter {
      used.contains($0.key)
    }.flatMap(\.value)
    let budgets = fields["budgets"].flatMap(budgets) ?? DraftBudgets()
    return DraftPipeline(
      name: fields["pipeline"].flatMap { name($0, of: "the pipeline name", allowsHyphen: true) },
      description: fields["description"].flatMap { text($0)?.value },
      inputs: fields["inputs"].map(inputs) ?? [], budgets: budgets.limits, rateNames: budgets.rates,
      backgroundSession: fields["background_session"].flatMap(session),
      policies: definitions.policies,
      policyNames: fields["retry"]?.mapping.map { entries in
        entries.compactMap { entry in entry.name.map { Located($0, at: range(entry.key)) } }
      } ?? [],
      nodes: credentialSteps.enumerated().map { .step($1.step(at: $0)) }
        + (fields["steps"].map { nodes($0, after: credentialSteps.count) } ?? []),
      outputs: (fields["outputs"].flatMap { map($0, of: "outputs by name") } ?? []).map {
        _ = check(name: $0.name, of: "an output name")
        return DraftField(name: $0.name, value: template($0.value, expected: "an output value"))
      },
      root: root)
  }

  package func checkVersion(_ fields: FieldReader) {
    guard let version = fields.integer("version"), version > Construct.version,
      let node = fields["version"]
    else { return }
    collector.report(
      .unknownVersion,
      "the file is written in version \(version) of the language, and this program reads version \(Construct.version)",
      at: range(node), help: "upgrade pipeline to read this file")
  }

  package func inputs(_ node: YAMLNode) -> [DraftInput] {
    (map(node, of: "inputs by name") ?? []).map { name, value in
      if check(name: name, of: "an input name") { checkReserved(name, of: "an input") }
      return input(name, value)
    }
  }

  private func input(_ name: Located<String>, _ node: YAMLNode) -> DraftInput {
    let fields = fields(node, .input)
    let kind = fields?.choice("type", of: InputDeclaration.Kind.self, what: "type")
    let defaultText = fields?["default"].flatMap { node in
      scalarText(node, expected: "a default value")
    }
    if let defaultText, defaultText.value.holds("${{") {
      collector.report(
        .expressionNotAllowed, "a default must be constant text, not an expression",
        at: defaultText.range)
    }
    let fileKeys = ["exclude", "hidden", "follow_links"].compactMap { key in
      fields?[key].map { Located(key, at: range($0)) }
    }
    return DraftInput(
      name: name, kind: kind, description: fields?["description"].flatMap { text($0)?.value },
      defaultText: defaultText, isRequired: fields?["required"].flatMap(flag),
      exclude: fields?["exclude"].flatMap { list($0, of: "patterns such as '*.tmp'") }?
        .compactMap { text($0, expected: "a pattern such as '*.tmp'") } ?? [],
      isHidden: fields?["hidden"].flatMap(flag),
      followsLinks: fields?["follow_links"].flatMap(flag),
      firstFileKey: fileKeys.first)
  }

  func checkReserved(_ name: Located<String>, of what: String) {
    guard Self.wordsOfCEL.contains(name.value) else { return }
    collector.report(
      .reservedName, "'\(name.value)' is a reserved word in expressions and cannot name \(what)",
      at: name.range)
  }

  /// The reserved words of the CEL specification ("Syntax", RESERVED) and its keywords.
  package static let wordsOfCEL: Set<String> = [
    "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in",
    "let", "loop", "namespace", "null", "package", "return", "true", "var", "void", "while",
  ]

  package func use(_ fields: FieldReader) -> DraftUse? {
    guard let node = fields["use"], let path = text(node, expected: "the path of a file")
    else { return nil }
    let values = fields["with"].flatMap { map($0, of: "values by input name") } ?? []
    fields.reportUseless(Self.keysOfOwnActions) {
      "'\($0)' has no effect in a step that uses a file; set it in the file's own steps"
    }
    return DraftUse(
      path: path, values: values.map { ($0.name, template($0.value, expected: "an input value")) },
      file: used.pipeline(path, for: self))
  }

  private static let keysOfOwnActions = [
    "let", "on", "success_if", "outputs", "retry", "effect", "target", "shared_target",
    "idempotency",
    "probe", "max_reissues", "max_stalled_turns", "depends_on",
  ]

  package func outputs(of use: DraftUse) -> [DraftOutput] {
    (use.file?.outputs ?? []).map { output in
      DraftOutput(
        name: Located(output.name, at: use.path.range), value: nil, isSecret: output.isSecret)
    }
  }

  package func definitions(_ fields: FieldReader) -> Definitions {
    var definitions = Definitions(policies: fields["retry"].map(policies) ?? [:], credentials: [:])
    if let node = fields["credentials"] { addCredentials(node, to: &definitions) }
    for node in fields["use"].flatMap({ list($0, of: "files") }) ?? [] {
      guard let path = text(node, expected: "the path of a file"),
        let other = used.definitions(path, for: self)
      else { continue }
      definitions.add(other)
    }
    return definitions
  }

  private func addCredentials(_ node: YAMLNode, to definitions: inout Definitions) {
    for (name, value) in map(node, of: "credentials by name") ?? [] {
      _ = check(name: name, of: "a credentials name", allowsHyphen: true)
      if value["oauth2"] != nil || value["challenge"] != nil {
        guard let (authorization, steps) = requestedCredential(name, value) else { continue }
        definitions.credentials[name.value] = authorization
        definitions.credentialSteps[name.value] = steps
      } else if let authorization = credential(name.value, value) {
        definitions.credentials[name.value] = authorization.placed
      }
    }
  }

  /// The definitions of a file that has no pipeline; `nil` if it has errors.
  func usedDefinitions() -> Definitions? {
    guard let root = document.root, let fields = fields(root, .definitions)
    else { return finished(nil) }
    checkVersion(fields)
    let found = definitions(fields)
    return finished(collector.hasErrors ? nil : found)
  }

  var isDefinitions: Bool {
    document.root?["definitions"] != nil && document.root?["pipeline"] == nil
  }

  var isDocument: Bool {
    ["pipeline", "definitions", "steps"].contains { document.root?[$0] != nil }
  }

  func budgets(_ node: YAMLNode) -> DraftBudgets? {
    guard let fields = fields(node, .budgets) else { return nil }
    var rates: [Rate] = []
    if let count = fields.integer("requests_per_second") {
      if count <= Rate.maximumRequests {
        rates.append(Rate(name: Rate.ofAllRequests, requests: count, period: .seconds(1)))
      } else if let node = fields["requests_per_second"] {
        collector.report(
          .outOfRange,
          "'requests_per_second' is \(count), expected at most \(Rate.maximumRequests)",
          at: range(node))
      }
    }
    let named = (fields["rates"].flatMap { map($0, of: "rates by name") } ?? []).filter { name, _ in
      check(rateName: name)
    }
    rates += named.compactMap { name, node in rate(node, name: name.value) }
    return DraftBudgets(
      limits: Budgets(
        diskBytes: fields["disk"].flatMap(disk), transfers: fields.integer("transfers"),
        rates: rates, bytesPerSecond: fields["bytes_per_second"].flatMap(bytesPerSecond),
        refusals: fields.integer("refusals") ?? Budgets.defaultRefusals),
      rates: named.map(\.name))
  }

  private func disk(_ node: YAMLNode) -> Int64? {
    guard let bytes = size(node) else { return nil }
    guard bytes > 0 else {
      return collector.refuse(
        .outOfRange, "'disk' is 0, so no file fits", at: range(node),
        help:
          "set the maximum size of all body files together, such as '512 MiB', or leave out the key"
      )
    }
    return bytes
  }

  private func check(rateName name: Located<String>) -> Bool {
    guard name.value != Rate.ofAllRequests else {
      collector.report(
        .reservedName, "'\(name.value)' is the rate of all requests, which has a key of its own",
        at: name.range, help: "write '\(name.value): 10' under 'budgets'")
      return false
    }
    return check(name: name, of: "the name of a rate", allowsHyphen: true)
  }

  private func rate(_ node: YAMLNode, name: String) -> Rate? {
    guard node.mapping != nil else {
      return requestRate(node).map { Rate(name: name, requests: $0.requests, period: $0.period) }
    }
    guard let fields = fields(node, .pace), let limit = fields["limit"].flatMap(requestRate)
    else { return nil }
    let burst = fields.integer("burst") ?? 1
    guard burst <= limit.requests else {
      return collector.refuse(
        .outOfRange, "'burst' is \(burst), expected at most the \(limit.requests) of 'limit'",
        at: fields["burst"].map(range) ?? fields.headRange)
    }
    return Rate(name: name, requests: limit.requests, period: limit.period, burst: burst)
  }

  private func requestRate(_ node: YAMLNode) -> RequestRateLiteral? {
    scalarText(node, expected: "a rate such as '6/1m'").flatMap {
      literal($0, .invalidRate, RequestRateLiteral.init)
    }
  }

  private func bytesPerSecond(_ node: YAMLNode) -> Int64? {
    if let text = node.string, text.hasSuffix("/s") {
      let rest = String(text.dropLast(2))
      return collector.refuse(
        .invalidSize, "'\(text)' is a size per second, expected a size: the key implies the second",
        at: range(node), nearest: rest)
    }
    guard let bytes = size(node) else { return nil }
    guard bytes > 0 else {
      return collector.refuse(
        .outOfRange, "'bytes_per_second' is 0, expected at least 1 byte", at: range(node))
    }
    return bytes
  }

  func rate(_ fields: FieldReader) -> Located<String>? {
    fields["rate"].flatMap { name($0, of: "the name of a rate", allowsHyphen: true) }
  }
}

extension DraftRequest.Authorization {
  /// The same with each expression located as a whole: it is compiled in other files, where ranges inside its text mean
  /// nothing.
  fileprivate var placed: Self { mapped { $0?.placed } }
}

extension DraftTemplate {
  var placed: DraftTemplate {
    DraftTemplate(
      parts: parts.map { part in
        guard case .expression(let expression) = part else { return part }
        return .expression(
          DraftExpression(source: expression.source, origin: .constant, range: expression.range))
      }, range: range)
  }
}
