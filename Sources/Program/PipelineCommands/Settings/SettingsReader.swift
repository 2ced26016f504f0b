import YAMLSyntax

struct SettingsReader {
  private let reader: DocumentReader
  /// The folder of the file, with a slash: paths are relative to it.
  private let folder: String

  /// The settings in `bytes`; without a `profile`, the file names the active one.
  static func settings(
    _ bytes: [UInt8], _ path: String, profile: String?
  ) throws(CommandFailure) -> Settings {
    let document = YAMLDocument.parse(bytes)
    let collector = DiagnosticCollector(file: path)
    // A file that sets nothing is a new one.
    for issue in document.issues where issue.code != .emptyDocument { collector.report(issue) }
    let reader = DocumentReader(
      document: document, collector: collector, path: DocumentPath.lastName(of: path))
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var settings = Settings()
    // A file of comments has no root.
    if let root = document.root {
      settings = SettingsReader(reader: reader, folder: folder).whole(root, profile)
    }
    settings.file = path
    let findings = collector.diagnostics.filter { $0.severity == .error }
    guard findings.isEmpty else {
      let text = DiagnosticText(sources: [path: String(decoding: bytes, as: UTF8.self)])
        .render(findings)
      throw CommandFailure(
        .invalid, "the settings have mistakes",
        details: text.split(separator: "\n").map(String.init))
    }
    return settings
  }

  private func whole(_ node: YAMLNode, _ asked: String?) -> Settings {
    guard let fields = reader.fields(node, .settings) else { return Settings() }
    let common = settings(fields)
    var profiles: [String: Settings] = [:]
    for (name, node) in entries(fields, "profiles") {
      if let part = reader.fields(node, .profile) { profiles[name] = settings(part, over: common) }
    }
    let written = fields["profile"].flatMap { reader.text($0, expected: "the name of a profile") }
    guard let name = asked ?? written?.value else { return common }
    guard var chosen = profiles[name] else {
      let known = profiles.keys.sorted()
      reader.collector.report(
        .invalidChoice, "no profile is called '\(name)'",
        at: asked == nil ? written?.range ?? fields.headRange : fields.headRange,
        help: nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
          ?? (known.isEmpty
            ? "the file has no 'profiles'" : "the profiles are \(quotedList(known))"))
      return common
    }
    chosen.profile = name
    return chosen
  }

  /// The settings of a mapping; other values are as in `base`.
  private func settings(_ fields: FieldReader, over base: Settings = Settings()) -> Settings {
    var settings = base
    settings.state = path(fields, "state") ?? base.state
    settings.inputs.merge(inputs(fields)) { $1 }
    settings.concurrency = fields.integer("concurrency") ?? base.concurrency
    settings.bandwidth =
      fields["bandwidth"].flatMap(reader.rate).flatMap { positive($0, "bandwidth", fields) }
      ?? base.bandwidth
    settings.requestsPerSecond =
      fields.number("requests_per_second").flatMap { positive($0, "requests_per_second", fields) }
      .flatMap { paced($0, fields) } ?? base.requestsPerSecond
    settings.maxTransfer =
      fields["max_transfer"].flatMap(reader.size).flatMap { positive($0, "max_transfer", fields) }
      ?? base.maxTransfer
    settings.maxDuration =
      fields["max_duration"].flatMap(reader.duration)
      .flatMap { positive($0, "max_duration", fields) } ?? base.maxDuration
    settings.caFile = path(fields, "ca_file") ?? base.caFile
    settings.clientCertificate = path(fields, "client_certificate") ?? base.clientCertificate
    settings.clientKey = path(fields, "client_key") ?? base.clientKey
    settings.proxy = text(fields, "proxy") ?? base.proxy
    settings.noProxy = fields["no_proxy"].flatMap(hosts) ?? base.noProxy
    settings.keepRuns =
      fields["keep_runs"].flatMap {
        reader.scalarText($0, expected: "an age and a number such as '30d,20'")
      }?.value ?? base.keepRuns
    settings.color = choice(fields, "color") ?? base.color
    settings.progress = choice(fields, "progress") ?? base.progress
    settings.onFinish = fields["on_finish"].flatMap(finish) ?? base.onFinish
    return settings
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ fields: FieldReader, _ key: String
  ) -> Choice? {
    fields[key].flatMap { reader.choice($0, of: Choice.self, what: "a choice") }?.value
  }

  private func entries(_ fields: FieldReader, _ key: String) -> [(name: String, value: YAMLNode)] {
    guard let node = fields[key] else { return [] }
    guard let mapping = node.mapping else {
      return reader.refuse(node, expected: "a mapping of names") ?? []
    }
    return mapping.compactMap { entry in entry.name.map { ($0, entry.value) } }
  }

  private func hosts(_ node: YAMLNode) -> [String]? {
    guard let list = node.sequence else { return reader.refuse(node, expected: "a list of hosts") }
    return list.compactMap { reader.text($0, expected: "a host")?.value }
  }

  private func text(_ fields: FieldReader, _ key: String) -> String? {
    fields[key].flatMap { reader.text($0) }?.value
  }

  private func path(_ fields: FieldReader, _ key: String) -> String? {
    text(fields, key).map(inFolder)
  }

  private func inFolder(_ text: String) -> String {
    let path = FileContents.withHome(text)
    return path.hasPrefix("/") ? path : folder + path
  }

  /// A value, or `@FILE` with the path of the file.
  private func fileInFolder(_ text: String) -> String {
    text.hasPrefix("@") ? "@" + inFolder(String(text.dropFirst())) : text
  }

  private func positive<Number: Comparable>(
    _ number: Number, _ key: String, _ fields: FieldReader
  ) -> Number? where Number: AdditiveArithmetic {
    guard number <= .zero else { return number }
    reader.collector.report(
      .outOfRange, "'\(key)' is 0, which would block everything; expected more than 0",
      at: fields.keyRange(key) ?? fields.headRange, help: "without the key there is no limit")
    return nil
  }

  private func paced(_ number: Double, _ fields: FieldReader) -> Double? {
    guard number < Settings.leastRequestsPerSecond else { return number }
    reader.collector.report(
      .outOfRange,
      "'requests_per_second' is \(number), expected at least \(Settings.leastRequestsPerSecond)",
      at: fields.keyRange("requests_per_second") ?? fields.headRange)
    return nil
  }

  private func inputs(_ fields: FieldReader) -> [String: [String]] {
    var inputs: [String: [String]] = [:]
    for (name, node) in entries(fields, "inputs") {
      let nodes = node.sequence ?? [node]
      let texts = nodes.compactMap { $0.scalar?.text }
      guard !texts.isEmpty, texts.count == nodes.count else {
        reader.wrongType(node, expected: "a value, or a list of patterns")
        continue
      }
      inputs[name] = texts.map(fileInFolder)
    }
    return inputs
  }

  // MARK: What happens at the end

  private func finish(_ node: YAMLNode) -> Settings.Finish? {
    guard let fields = reader.fields(node, .onFinish) else { return nil }
    var finish: Settings.Finish?
    if let command = text(fields, "command") { finish = .init(.command(command)) }
    if let request = fields["request"] { finish = webhook(request).map { .init($0) } }
    if let timeout = fields["timeout"].flatMap(reader.duration)
      .flatMap({ positive($0, "timeout", fields) })
    {
      finish?.timeout = timeout
    }
    if let isRequired = fields["required"].flatMap(reader.flag)?.value {
      finish?.isRequired = isRequired
    }
    return finish
  }

  private func webhook(_ node: YAMLNode) -> Settings.Finish.Action? {
    guard let fields = reader.fields(node, .webhook), let url = text(fields, "url") else {
      return nil
    }
    var headers: [String: String] = [:]
    for (name, node) in entries(fields, "headers") {
      guard let value = reader.text(node)?.value else { continue }
      headers[name] = fileInFolder(value)
    }
    let method = fields["method"]
      .flatMap { reader.choice($0, of: Settings.Finish.Method.self, what: "a method") }?.value
    return .request(method: method ?? .post, url: url, headers: headers)
  }
}
