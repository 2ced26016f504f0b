extension Scenario {
  /// The scenario as a document that starts with the comment `note`.
  public func document(note: String) -> String { ScenarioText(scenario: self, note: note).text }
}

struct ScenarioText {
  let scenario: Scenario
  let note: String

  var text: String {
    var lines = ["# \(note)", "scenario: \(scenario.name)", "device: \(device)"]
    lines.append("days: \(max((scenario.length.milliseconds + 86_399_999) / 86_400_000, 1))")
    lines.append("start: \(scenario.start)")
    lines.append("opening: \(scenario.opening.map(Self.duration) ?? "always")")
    let size = Self.spread(scenario.items.size) { "\(Int64($0)) B" }
    lines.append("items: { count: \(scenario.items.count), size: \(size) }")
    if !scenario.inputs.isEmpty {
      let inputs = scenario.inputs.map { "\($0.name): \(Self.quoted($0.text))" }
      lines.append("inputs: { \(inputs.joined(separator: ", ")) }")
    }
    lines += disk
    let conditions = scenario.conditions.fields.filter { $0.key != "free" }
    if !conditions.isEmpty { lines.append("conditions: { \(Self.flow(conditions)) }") }
    if !scenario.timeline.isEmpty {
      lines.append("timeline:")
      lines += scenario.timeline.map { "  - { \(Self.entry($0)) }" }
    }
    if !scenario.random.isEmpty {
      lines.append("random:")
      lines += scenario.random.map {
        "  - { every: \(Self.duration($0.every)), \(Self.happening($0.happening)) }"
      }
    }
    lines += server
    lines += properties
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Parts

  private var disk: [String] {
    var fields: [(key: String, value: String)] = []
    if let free = scenario.conditions.free { fields.append(("free", "\(free) B")) }
    if let speed = scenario.writeSpeed { fields.append(("write", "\(speed) B/s")) }
    return fields.isEmpty ? [] : ["disk: { \(Self.flow(fields)) }"]
  }

  private var server: [String] {
    let model = scenario.server
    var fields: [(key: String, value: String)] = []
    if model.latency != .constant(0) {
      fields.append(("latency", Self.spread(model.latency) { Self.milliseconds($0 * 1000) }))
    }
    if !model.lifetimes.isEmpty {
      let lives = model.lifetimes.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { (key: $0.key.rawValue, value: Self.duration($0.value)) }
      fields.append(("lifetimes", "{ \(Self.flow(lives)) }"))
    }
    var present = ServerModel.Faults.chances.filter { model.faults[keyPath: $0.path] > 0 }
      .map { (key: $0.fault.rawValue, value: "\(model.faults[keyPath: $0.path])") }
    if model.faults.staleReads > .zero {
      present.append(("stale_reads", Self.duration(model.faults.staleReads)))
    }
    if !present.isEmpty { fields.append(("faults", "{ \(Self.flow(present)) }")) }
    if model.resumesUploads { fields.append(("resumes_uploads", "true")) }
    if model.clockSkew != .zero { fields.append(("clock_skew", Self.duration(model.clockSkew))) }
    return fields.isEmpty ? [] : ["server: { \(Self.flow(fields)) }"]
  }

  private var properties: [String] {
    guard !scenario.properties.isEmpty else { return [] }
    return ["properties:"]
      + scenario.properties.map { property in
        var fields: [(key: String, value: String)] = [("name", property.name)]
        let text = property.expression.compiled.source.split(whereSeparator: \.isWhitespace)
        let source = Self.quoted("${{ \(text.joined(separator: " ")) }}")
        switch property.kind {
        case .always: fields.append(("always", source))
        case .never: fields.append(("never", source))
        case .eventually(let within):
          fields.append(("eventually", source))
          if let within { fields.append(("within", Self.duration(within))) }
        case .atMostOnce(let scope):
          fields.append(("at_most_once", source))
          fields.append(("per", scope.rawValue))
        }
        return "  - { \(Self.flow(fields)) }"
      }
  }

  // MARK: The device

  private var device: String {
    let profile = scenario.profile
    let name = String(profile.name.prefix { $0 != " " })
    guard let known = DeviceProfile.named(name), known != profile
    else { return DeviceProfile.named(name) == nil ? "ios17" : name }
    return "{ \(Self.flow([("profile", name)] + profile.parts(differingFrom: known))) }"
  }

  private static func entry(_ entry: TimelineEntry) -> String {
    var fields: [(key: String, value: String)] = []
    switch entry.time {
    case .after(let after): fields.append(("after", duration(after)))
    case .day(let day, let at): fields += [("day", "\(day)"), ("at", clock(at))]
    case .daily(let at, let days):
      fields.append(("at", clock(at)))
      if !days.isEmpty {
        fields.append(("days", "[\(days.map(\.rawValue).joined(separator: ", "))]"))
      }
    }
    if entry.jitter > .zero { fields.append(("jitter", duration(entry.jitter))) }
    if entry.chance < 1 { fields.append(("chance", "\(entry.chance)")) }
    return flow(fields) + ", " + happening(entry.happening)
  }

  private static func happening(_ happening: ScenarioHappening) -> String {
    switch happening {
    case .open(let length): "open: \(duration(length))"
    case .action(let action): "do: \(action.rawValue)"
    case .clockChange(let step):
      step < .zero ? "clock_back: \(duration(.zero - step))" : "clock_forward: \(duration(step))"
    case .conditions(let conditions, let length):
      flow([(key: "for", value: spread(length, milliseconds))] + conditions.fields)
    }
  }

  static func flow(_ fields: [(key: String, value: String)]) -> String {
    fields.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }

  private static func spread(_ spread: Distribution, _ quantity: (Double) -> String) -> String {
    switch spread {
    case .constant(let value): quantity(value)
    case .uniform(let low, let high): "{ from: \(quantity(low)), to: \(quantity(high)) }"
    case .exponential(let mean): "{ mean: \(quantity(mean)) }"
    case .logNormal(let median, let p90): "{ median: \(quantity(median)), p90: \(quantity(p90)) }"
    }
  }

  private static func milliseconds(_ number: Double) -> String {
    duration(.milliseconds(Int64(number.rounded())))
  }

  private static func clock(_ time: Duration) -> String {
    let seconds = time.milliseconds / 1000
    let two = Words.two
    return "\"\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))\""
  }

  /// A duration in the language's syntax, exact to the millisecond.
  static func duration(_ duration: Duration) -> String {
    var rest = duration.milliseconds
    guard rest > 0 else { return "0s" }
    var text = ""
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)] {
      let count = rest / Int64(length)
      if count > 0 { text += "\(count)\(unit)" }
      rest %= Int64(length)
    }
    return rest > 0 ? text + "\(rest)ms" : text
  }

  /// Text in quotes that YAML reads literally.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''").replacing("\n", with: " "))'"
  }
}
