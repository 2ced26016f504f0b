import PipelineCore
public import PipelineScenarios

extension Scenario {
  /// The scenario that a document describes.
  public init(_ document: ScenarioDocument) {
    self.init(
      name: document.name, profile: DeviceProfile(document.device), start: document.start,
      length: document.length, opening: document.opening, items: document.items,
      conditions: document.conditions, timeline: document.timeline)
    inputs = document.inputs
    writeSpeed = document.writeSpeed
    random = document.random
    lifetimes = document.server.lifetimes
    server = ServerModel(document.server)
    properties = document.properties
  }
}

extension ServerModel {
  init(_ server: ScenarioServer) {
    func chance(_ fault: ScenarioServer.Fault) -> Double { server.faults[fault] ?? 0 }
    self.init(
      latency: server.latency?.divided(by: 1000) ?? .constant(0),
      lifetimes: Dictionary(
        server.lifetimes.map { (StepID($0.step), $0.life) }, uniquingKeysWith: { _, last in last }),
      faults: Faults(
        serverError: chance(.serverError), throttled: chance(.throttled),
        lostReply: chance(.lostReply), lostRequest: chance(.lostRequest),
        duplicate: chance(.duplicate), revoked: chance(.revoked), staleReads: server.staleReads),
      clockSkew: server.clockSkew)
    resumesUploads = server.resumesUploads
  }
}

extension DeviceProfile {
  /// The profile of a document: a named one, and what differs from it.
  init(_ device: ScenarioDevice) {
    self = Self.named(device.profile) ?? .ios17
    let isOwn = !(device.durations.isEmpty && device.numbers.isEmpty && device.words.isEmpty)
    if isOwn { name += " with custom numbers" }
    for (key, value) in device.durations { set(key, value) }
    for (key, value) in device.numbers { set(key, value) }
    for (key, value) in device.words { set(key, value) }
  }

  private mutating func set(_ key: String, _ value: Duration) {
    switch key {
    case "allowance.after_foreground": allowance.afterForeground = value
    case "allowance.per_resume": allowance.perResume = value
    case "allowance.expiry_lead": allowance.expiryLead = value
    case "resume_delay.first": limiter.first = value
    case "transfers.start_delay": transfers.startDelay = value
    case "transfers.creation_cost": transfers.creationCost = value
    case "transfers.overload": transfers.overload = value
    case "budget.period": budget.period = value
    default: assertionFailure("no duration is called \(key)")
    }
  }

  private mutating func set(_ key: String, _ value: Double) {
    switch key {
    case "allowance.certain_part": allowance.certainPart = value
    case "allowance.refusals": allowance.refusals = value
    case "resume_delay.factor": limiter.factor = value
    case "resume_delay.quiet_reset": limiter.quietReset = value
    case "transfers.connections": transfers.connections = Int(value)
    case "transfers.soft_cap": transfers.softCap = Int(value)
    case "budget.bytes": budget.bytes = Int64(value)
    case "discretion.critical_battery": discretion.criticalBattery = value
    default: assertionFailure("no number is called \(key)")
    }
  }

  private mutating func set(_ key: String, _ value: String) {
    switch key {
    case "resume_delay.delays": limiter.generation = value == "resumes" ? .resumes : .starts
    case "transfers.resumes_uploads": transfers.resumesUploads = value == "true"
    case "discretion.lifted_in_front": discretion.isLiftedInFront = value == "true"
    default: assertionFailure("no word is called \(key)")
    }
  }
}
