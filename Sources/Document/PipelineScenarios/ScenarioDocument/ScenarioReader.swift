struct ScenarioReader {
  package let reader: DocumentReader
  var collector: DiagnosticCollector { reader.collector }

  package func scenario(_ root: YAMLNode) -> ScenarioDocument? {
    guard let fields = reader.fields(root, .scenario) else { return nil }
    reader.checkVersion(fields)
    let name = fields["scenario"].flatMap {
      reader.name($0, of: "a scenario name", allowsHyphen: true)
    }
    let length = Duration.seconds((fields.integer("days") ?? 14) * 86400)
    let disk = fields["disk"].flatMap { reader.fields($0, .scenarioDisk) }
    var conditions =
      fields["conditions"].flatMap { reader.fields($0, .conditions) }
      .map(self.conditions) ?? ScenarioConditions()
    conditions.free = disk?["free"].flatMap(reader.size)
    let start = fields["start"].flatMap(reader.instant) ?? Self.start
    let timeline = TimelineReader(scenario: self, start: start, length: length)
    let entries = fields["timeline"].map(timeline.entries) ?? []
    let random =
      fields["random"].flatMap { reader.list($0, of: "entries") }?
      .compactMap(timeline.randomEntry) ?? []
    let properties = PropertyReader(reader: reader, length: length)
    let checked = fields["properties"].map(properties.properties) ?? []
    guard let name else { return nil }
    return ScenarioDocument(
      name: name.value, description: fields["description"].flatMap { reader.text($0) }?.value,
      file: collector.file,
      device: fields["device"].map(device) ?? ScenarioDevice(profile: "ios17"), start: start,
      length: length, opening: opening(fields),
      items: items(fields["items"]), inputs: inputs(fields),
      writeSpeed: disk?["write"].flatMap(reader.rate), conditions: conditions, timeline: entries,
      random: random, server: fields["server"].map(server) ?? ScenarioServer(), properties: checked)
  }

  /// 2026-01-05T00:00:00Z, a Monday.
  private static let start = Instant(milliseconds: 1_767_571_200_000)

  private func opening(_ fields: FieldReader) -> Duration? {
    guard let node = fields["opening"] else { return .seconds(60) }
    return node.string == "always" ? nil : reader.duration(node)
  }

  private func inputs(_ fields: FieldReader) -> [ScenarioInput] {
    guard let node = fields["inputs"] else { return [] }
    return (reader.map(node, of: "input values by name") ?? []).compactMap { name, value in
      reader.scalarText(value, expected: "a value as text").map {
        ScenarioInput(name: name.value, text: $0.value, range: name.range)
      }
    }
  }

  private func items(_ node: YAMLNode?) -> ScenarioItems {
    let usual = ScenarioItems(count: 100, size: .constant(2_000_000))
    guard let node, let fields = reader.fields(node, .scenarioItems) else { return usual }
    return ScenarioItems(
      count: fields.integer("count") ?? usual.count,
      size: fields["size"].flatMap { spread($0, .sizeSpread) } ?? usual.size)
  }

  // MARK: Quantities

  /// A quantity that may vary; sizes in bytes, durations in milliseconds.
  func spread(_ node: YAMLNode, _ construct: Construct) -> Distribution? {
    func quantity(_ node: YAMLNode) -> Double? {
      construct == .sizeSpread
        ? reader.size(node).map(Double.init) : reader.duration(node).map { Double($0.milliseconds) }
    }
    guard node.mapping != nil else { return quantity(node).map(Distribution.constant) }
    guard let fields = reader.fields(node, construct) else { return nil }
    func bound(_ key: String) -> Double? { fields[key].flatMap(quantity) }
    if fields.has("mean"), !fields.has("from"), !fields.has("to"), !fields.has("median") {
      return bound("mean").map { Distribution.exponential(mean: $0) }
    }
    for (low, high) in [("from", "to"), ("median", "p90")] where fields.has(low) && fields.has(high)
    {
      guard fields.construct.keys.count(where: { fields.has($0.name) }) == 2 else { break }
      guard let least = bound(low), let most = bound(high) else { return nil }
      guard least <= most else {
        collector.report(
          .outOfRange, "'\(high)' is less than '\(low)'",
          at: fields[high].map(reader.range) ?? fields.headRange)
        return nil
      }
      return low == "from" ? .uniform(least, most) : .logNormal(median: least, p90: most)
    }
    let mean = construct == .durationSpread ? ", or only 'mean'" : ""
    collector.report(
      .missingKey,
      "\(fields.construct.phrase) with a distribution need 'from' and 'to', or 'median' and 'p90'\(mean)",
      at: fields.headRange)
    return nil
  }

  func conditions(_ fields: FieldReader) -> ScenarioConditions {
    var found = ScenarioConditions()
    found.network =
      fields["network"].flatMap {
        reader.choice($0, of: ScenarioConditions.Network.self, what: "network")
      }?.value
    found.bandwidth = fields["bandwidth"].flatMap(reader.rate)
    found.latency = fields["latency"].flatMap(reader.duration)
    found.loss = fields.number("loss")
    found.isExpensive = fields["expensive"].flatMap(reader.flag)?.value
    found.isConstrained = fields["constrained"].flatMap(reader.flag)?.value
    found.hasPower = fields["power"].flatMap(reader.flag)?.value
    found.battery = fields.number("battery")
    found.isLowPowerMode = fields["low_power_mode"].flatMap(reader.flag)?.value
    found.isLocked = fields["locked"].flatMap(reader.flag)?.value
    if fields.construct.key("free") != nil { found.free = fields["free"].flatMap(reader.size) }
    return found
  }

  // MARK: The server

  private func server(_ node: YAMLNode) -> ScenarioServer {
    var server = ScenarioServer()
    guard let fields = reader.fields(node, .scenarioServer) else { return server }
    server.latency = fields["latency"].flatMap { spread($0, .durationSpread) }
    if let node = fields["lifetimes"] {
      server.lifetimes = (reader.map(node, of: "lifetimes by step ID") ?? []).compactMap {
        step, value in
        reader.duration(value).map { .init(step: step.value, life: $0, range: step.range) }
      }
    }
    server.resumesUploads = fields["resumes_uploads"].flatMap(reader.flag)?.value ?? false
    server.clockSkew = fields["clock_skew"].flatMap(reader.duration) ?? .zero
    if let faults = fields["faults"].flatMap({ reader.fields($0, .faults) }) {
      for fault in ScenarioServer.Fault.allCases {
        server.faults[fault] = faults.number(fault.rawValue)
      }
      server.staleReads = faults["stale_reads"].flatMap(reader.duration) ?? .zero
    }
    return server
  }
}

extension DocumentReader {
  func instant(_ node: YAMLNode) -> Instant? {
    guard let text = scalarText(node, expected: "a time such as '2026-01-05T08:00:00Z'")
    else { return nil }
    guard let timestamp = Timestamp(rfc3339: text.value) else {
      collector.report(
        .invalidConstant,
        "invalid time '\(text.value)', expected RFC 3339 such as '2026-01-05T08:00:00Z'",
        at: text.range)
      return nil
    }
    return Instant(timestamp)
  }
}

/// The device.
extension ScenarioReader {
  private func device(_ node: YAMLNode) -> ScenarioDevice {
    guard node.mapping != nil else { return ScenarioDevice(profile: profile(node) ?? "ios17") }
    guard let fields = reader.fields(node, .device) else { return ScenarioDevice(profile: "ios17") }
    var device = ScenarioDevice(profile: fields["profile"].flatMap(profile) ?? "ios17")
    for key in fields.construct.keys {
      guard let construct = key.shape.construct, let node = fields[key.name],
        let part = reader.fields(node, construct)
      else { continue }
      for field in part.construct.keys where part.has(field.name) {
        set("\(key.name).\(field.name)", field, part, in: &device)
      }
    }
    return device
  }

  private func set(
    _ name: String, _ key: Key, _ part: FieldReader, in device: inout ScenarioDevice
  ) {
    guard let node = part[key.name] else { return }
    switch key.shape {
    case .duration: device.durations[name] = reader.duration(node)
    case .fraction, .number: device.numbers[name] = part.number(key.name)
    case .integer: device.numbers[name] = part.integer(key.name).map(Double.init)
    case .size: device.numbers[name] = reader.size(node).map(Double.init)
    case .flag: device.words[name] = reader.flag(node).map { "\($0.value)" }
    case .choice(let words): device.words[name] = word(node, words, "value")
    default: break
    }
  }

  private func profile(_ node: YAMLNode) -> String? {
    word(node, ScenarioDevice.profiles, "profile")
  }

  private func word(_ node: YAMLNode, _ words: [String], _ what: String) -> String? {
    guard let text = reader.text(node, expected: what) else { return nil }
    guard words.contains(text.value) else {
      reader.report(
        .invalidChoice,
        "invalid \(what) '\(text.value)', expected \(quotedList(words, joinedBy: "or"))",
        unknown: text, among: words)
      return nil
    }
    return text.value
  }
}
