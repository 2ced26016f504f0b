struct ProfileField {
  /// The part of the device's mapping and the key in it, such as `allowance.per_resume`.
  let name: String
  /// Adopts the value that a document sets, if any.
  let take: (inout DeviceProfile, ScenarioDevice) -> Void
  /// The value as a document writes it; `nil` where no document can.
  let text: (DeviceProfile) -> String?

  /// All fields, in the order of the language.
  static var all: [Self] {
    [
      time("allowance.after_foreground", \.allowance.afterForeground),
      time("allowance.per_resume", \.allowance.perResume),
      time("allowance.expiry_lead", \.allowance.expiryLead),
      number("allowance.certain_part", \.allowance.certainPart) { $0 },
      number("allowance.refusals", \.allowance.refusals) { $0 },
      word("resume_delay.delays", \.limiter.generation) { $0 == "resumes" ? .resumes : .starts },
      time("resume_delay.first", \.limiter.first),
      number("resume_delay.factor", \.limiter.factor) { $0 },
      number("resume_delay.quiet_reset", \.limiter.quietReset, { $0.map { "\($0)" } }) { $0 },
      number("transfers.connections", \.transfers.connections) { Int($0) },
      word("transfers.resumes_uploads", \.transfers.resumesUploads) { $0 == "true" },
      time("transfers.start_delay", \.transfers.startDelay),
      time("transfers.creation_cost", \.transfers.creationCost),
      number("transfers.soft_cap", \.transfers.softCap) { Int($0) },
      time("transfers.overload", \.transfers.overload),
      number("budget.bytes", \.budget.bytes, { $0.map { "\($0) B" } }) { Int64($0) },
      time("budget.period", \.budget.period),
      word("discretion.lifted_in_front", \.discretion.isLiftedInFront) { $0 == "true" },
      number("discretion.critical_battery", \.discretion.criticalBattery) { $0 },
    ]
  }

  private static func time(
    _ name: String, _ path: WritableKeyPath<DeviceProfile, Duration>
  ) -> Self {
    Self(name: name) { profile, device in
      if let value = device.durations[name] { profile[keyPath: path] = value }
    } text: {
      ScenarioText.duration($0[keyPath: path])
    }
  }

  private static func number<Value>(
    _ name: String, _ path: WritableKeyPath<DeviceProfile, Value>,
    _ text: @escaping (Value) -> String? = { "\($0)" }, _ value: @escaping (Double) -> Value
  ) -> Self {
    Self(name: name) { profile, device in
      if let number = device.numbers[name] { profile[keyPath: path] = value(number) }
    } text: {
      text($0[keyPath: path])
    }
  }

  private static func word<Value>(
    _ name: String, _ path: WritableKeyPath<DeviceProfile, Value>,
    _ value: @escaping (String) -> Value
  ) -> Self {
    Self(name: name) { profile, device in
      if let word = device.words[name] { profile[keyPath: path] = value(word) }
    } text: {
      "\($0[keyPath: path])"
    }
  }
}

extension DeviceProfile {
  /// The profile of a document: a named one, and the differences from it.
  init(_ device: ScenarioDevice) {
    self = Self.named(device.profile) ?? .ios17
    let names = Array(device.durations.keys) + device.numbers.keys + device.words.keys
    assert(Set(names).isSubset(of: ProfileField.all.map(\.name)), "a key of devices has no field")
    if !names.isEmpty { name += " with custom numbers" }
    for field in ProfileField.all { field.take(&self, device) }
  }

  /// The parts of a device's mapping in which it differs from a named profile.
  func parts(differingFrom known: Self) -> [(key: String, value: String)] {
    var parts: [(key: String, fields: [(key: String, value: String)])] = []
    for field in ProfileField.all {
      guard let text = field.text(self), text != field.text(known) else { continue }
      let names = field.name.split(separator: ".").map(String.init)
      if parts.last?.key != names[0] { parts.append((names[0], [])) }
      parts[parts.count - 1].fields.append((names[1], text))
    }
    return parts.map { ($0.key, "{ \(ScenarioText.flow($0.fields)) }") }
  }
}
