import Foundation
import PipelineCore
public import PipelineScenarios
import PipelineSimulator

/// From a plan to its trace, and back.
extension SwarmTrace {
  init(_ plan: SwarmPlan, _ draws: [String: [String]], bug: PlantedBug?, found: String) {
    self.found = found
    self.bug = bug
    seed = plan.seed
    name = plan.shape == plan.text ? nil : plan.shape
    pipeline = plan.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    items = plan.items.map { Item(path: $0.path, size: $0.size) }
    world = World(plan)
    self.draws = draws.mapValues(Self.shortened)
  }

  /// The plan.
  var plan: SwarmPlan {
    get throws(PipelineLibrary.Problem) {
      let text = pipeline.joined(separator: "\n")
      var plan = SwarmPlan(
        seed: seed, shape: name ?? text, text: text,
        pipeline: try PipelineLibrary.load(text, name ?? "made-up"),
        items: items.map { item in
          let name = item.path.split(separator: "/").last.map(String.init) ?? item.path
          return FileValue(path: item.path, name: name, size: item.size, modified: 0)
        }, safety: .milliseconds(world.faultsEndAfter))
      plan.server = world.server.model
      plan.clockJump = world.serverClock?.times
      plan.deviceClockJumps = world.deviceClock.map(\.times)
      plan.way = world.way
      plan.limits = ProcessLimits(
        exchanges: world.exchanges, networkTimeout: world.networkTimeout.map { .milliseconds($0) },
        sendsPieces: world.sendsPieces ?? false)
      plan.wishes = world.wishes.map { wish in
        (.milliseconds(wish.after), wish.kind == .pause ? .pause : .cancel)
      }
      plan.process = world.process
      plan.device = world.device
      plan.freeSpace = world.freeSpace
      return plan
    }
  }
}

extension SwarmTrace.Jump {
  init(_ jump: (after: Duration, by: Duration)) {
    self.init(after: jump.after.milliseconds, by: jump.by.milliseconds)
  }

  var times: (after: Duration, by: Duration) { (.milliseconds(after), .milliseconds(by)) }
}

extension SwarmTrace.World {
  init(_ plan: SwarmPlan) {
    self.init(
      server: SwarmTrace.Server(plan.server),
      serverClock: plan.clockJump.map { SwarmTrace.Jump($0) },
      deviceClock: plan.deviceClockJumps.map { SwarmTrace.Jump($0) }, way: plan.way,
      exchanges: plan.limits.exchanges, networkTimeout: plan.limits.networkTimeout?.milliseconds,
      sendsPieces: plan.limits.sendsPieces ? true : nil,
      wishes: plan.wishes.map { after, wish in
        .init(after: after.milliseconds, kind: wish == .pause ? .pause : .cancel)
      }, process: plan.process, device: plan.device, freeSpace: plan.freeSpace,
      faultsEndAfter: plan.safety.milliseconds)
  }
}

extension SwarmTrace.Server {
  init(_ model: ServerModel) {
    self.init(
      latency: model.latency,
      lifetimes: Dictionary(
        uniqueKeysWithValues: model.lifetimes.map { ($0.key.rawValue, $0.value.milliseconds) }),
      clockSkew: model.clockSkew.milliseconds, isDated: model.isDated,
      serverError: model.faults.serverError, throttled: model.faults.throttled,
      lostReply: model.faults.lostReply, lostRequest: model.faults.lostRequest,
      duplicate: model.faults.duplicate, revoked: model.faults.revoked)
  }

  var model: ServerModel {
    var model = ServerModel(
      latency: latency,
      lifetimes: Dictionary(
        uniqueKeysWithValues: lifetimes.map { (StepID($0.key), .milliseconds($0.value)) }),
      faults: .init(
        serverError: serverError, throttled: throttled, lostReply: lostReply,
        lostRequest: lostRequest, duplicate: duplicate, revoked: revoked),
      clockSkew: .milliseconds(clockSkew))
    model.isDated = isDated
    return model
  }
}

/// As text: `constant 1`, `uniform 0 0.5`, `exponential 20`, `lognormal 1 3`.
extension Distribution: Codable {
  private var text: String {
    switch self {
    case .constant(let value): "constant \(value)"
    case .uniform(let low, let high): "uniform \(low) \(high)"
    case .exponential(let mean): "exponential \(mean)"
    case .logNormal(let median, let p90): "lognormal \(median) \(p90)"
    }
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let words = text.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Double($0) }
    switch (words.first, numbers.count) {
    case ("constant", 1): self = .constant(numbers[0])
    case ("uniform", 2): self = .uniform(numbers[0], numbers[1])
    case ("exponential", 1): self = .exponential(mean: numbers[0])
    case ("lognormal", 2): self = .logNormal(median: numbers[0], p90: numbers[1])
    default:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a distribution")
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
