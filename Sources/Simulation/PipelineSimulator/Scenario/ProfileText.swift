import PipelineCore

/// Writes the numbers in which a profile differs from a named one.
struct ProfileText {
  private typealias Field = (key: String, value: String, isDifferent: Bool)
  let profile, known: DeviceProfile

  /// The sections of a device's mapping that differ.
  var parts: [(key: String, value: String)] {
    let all = [
      ("allowance", allowance), ("resume_delay", delay), ("transfers", transfers),
      ("budget", budget), ("discretion", discretion),
    ]
    return all.compactMap { name, fields in
      let different = fields.filter(\.isDifferent).map { (key: $0.key, value: $0.value) }
      return different.isEmpty ? nil : (name, "{ \(ScenarioText.flow(different)) }")
    }
  }

  private var allowance: [Field] {
    [
      time("after_foreground", \.allowance.afterForeground),
      time("per_resume", \.allowance.perResume), time("expiry_lead", \.allowance.expiryLead),
      number("certain_part", \.allowance.certainPart), number("refusals", \.allowance.refusals),
    ]
  }

  private var delay: [Field] {
    [
      number("delays", \.limiter.generation.rawValue), time("first", \.limiter.first),
      number("factor", \.limiter.factor), number("quiet_reset", \.limiter.quietReset) { "\($0)" },
    ]
  }

  private var transfers: [Field] {
    [
      number("connections", \.transfers.connections),
      number("resumes_uploads", \.transfers.resumesUploads),
      time("start_delay", \.transfers.startDelay), time("creation_cost", \.transfers.creationCost),
      number("soft_cap", \.transfers.softCap), time("overload", \.transfers.overload),
    ]
  }

  private var budget: [Field] {
    [number("bytes", \.budget.bytes) { "\($0) B" }, time("period", \.budget.period)]
  }

  private var discretion: [Field] {
    [
      number("lifted_in_front", \.discretion.isLiftedInFront),
      number("critical_battery", \.discretion.criticalBattery),
    ]
  }

  // MARK: Fields

  private func time(_ key: String, _ path: KeyPath<DeviceProfile, Duration>) -> Field {
    let value = profile[keyPath: path]
    return (key, ScenarioText.duration(value), value != known[keyPath: path])
  }

  private func number<Value: Equatable>(
    _ key: String, _ path: KeyPath<DeviceProfile, Value>
  ) -> Field { (key, "\(profile[keyPath: path])", profile[keyPath: path] != known[keyPath: path]) }

  /// An optional number; a document cannot remove one that the named profile has.
  private func number<Value: Equatable>(
    _ key: String, _ path: KeyPath<DeviceProfile, Value?>, _ text: (Value) -> String
  ) -> Field {
    guard let value = profile[keyPath: path] else { return (key, "", false) }
    return (key, text(value), value != known[keyPath: path])
  }
}
