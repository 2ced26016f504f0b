/// Watches a run for its scenario's properties; evaluates one only when a value that it reads has changed.
struct PropertyWatch: Sendable {
  private struct State {
    let property: ScenarioProperty
    /// The values it reads, as indices into `readings`.
    let reads: [Int]
    var violation: (at: Duration, explanation: String)?
    var request: EffectID?
    /// Whether it was ever evaluated with values other than the first, or a request ever matched.
    var wasTried = false
    /// When it was first true; only of `eventually`.
    var reached: Duration?
    /// Matching responses, by the counted subject.
    var matches: [ItemKey?: Duration] = [:]
  }

  private var states: [State]
  private let readings: [String]
  private let steps: [StepID]
  private let start: Instant
  private let observesRequests: Bool
  private var values: [Int64]
  private var requests = 0
  private var lastLook = Duration.zero
  private var lastPeak: Int64 = 0
  private var lastCounts: [Item.Status: Int64] = [:]

  init(_ properties: [ScenarioProperty], _ pipeline: Pipeline, from start: Instant) {
    var readings: [String] = []
    states = properties.map { property in
      var reads: [Int] = []
      if !property.isAboutRequests {
        for name in Set(property.expression.compiled.references.map(\.variable)).sorted() {
          if !readings.contains(name) { readings.append(name) }
          if let place = readings.firstIndex(of: name) { reads.append(place) }
        }
      }
      return State(property: property, reads: reads)
    }
    (self.readings, self.start) = (readings, start)
    steps = pipeline.steps.map(\.id)
    values = Array(repeating: .min, count: readings.count)
    observesRequests = properties.contains(where: \.isAboutRequests)
  }

  static func check(_ property: ScenarioProperty, _ pipeline: Pipeline) throws(SimulationProblem) {
    guard !property.isAboutRequests else { return }
    var watch = Self([property], pipeline, from: Instant(milliseconds: 0))
    watch.values = watch.values.map { _ in 0 }
    do throws(EvaluationError) {
      _ = try property.expression.compiled.evaluate(watch.activation(watch.states[0], [:]))
    } catch {
      // A divisor may well be zero only at the start.
      guard property.expression.compiled.references.contains(where: { $0.variable == "reissues" })
      else { return }
      throw SimulationProblem(
        "the property '\(property.name)' does not apply to '\(pipeline.name)': \(error.message)",
        help: "its steps are \(pipeline.steps.map(\.id.rawValue).joined(separator: ", "))",
        at: property.range)
    }
  }

  // MARK: Looking

  mutating func look(at run: inout SimulatedRun) {
    guard !states.isEmpty else { return }
    let now = run.now - run.start
    lastLook = now
    if observesRequests, run.tally.requests != requests {
      requests = run.tally.requests
      observe(&run)
    }
    guard !readings.isEmpty else { return }
    var changed: Set<Int> = []
    let isFirst = values.first == .min
    count(run)
    for place in readings.indices {
      let value = reading(readings[place], run)
      if value != values[place] {
        values[place] = value
        changed.insert(place)
      }
    }
    lastPeak = run.disk.peak
    guard !changed.isEmpty else { return }
    var reissues: [Int: Int] = [:]
    if readings.contains("reissues") { reissues = run.tally.reissues }
    for index in states.indices where states[index].reads.contains(where: changed.contains) {
      judge(&states[index], at: now, reissues, isFirst: isFirst)
    }
  }

  private mutating func count(_ run: SimulatedRun) {
    guard let loops = run.core?.machine.state.loops else { return }
    for status in Item.Status.allCases {
      lastCounts[status] = loops.reduce(0) { $0 + Int64($1.counts[status]) }
    }
  }

  private func judge(
    _ state: inout State, at now: Duration, _ reissues: [Int: Int], isFirst: Bool
  ) {
    guard state.violation == nil, state.reached == nil else { return }
    let property = state.property
    if !isFirst { state.wasTried = true }
    let isTrue: Bool
    do throws(EvaluationError) {
      isTrue = try property.expression.compiled.evaluate(activation(state, reissues)) == true
    } catch {
      state.violation = (now, "it cannot be evaluated: \(error.message)")
      return
    }
    switch property.kind {
    case .always: if !isTrue { state.violation = (now, "is false: \(seen(state))") }
    case .never: if isTrue { state.violation = (now, "is true: \(seen(state))") }
    case .eventually(let within):
      if let within, now > within { return }
      if isTrue { state.reached = now }
    case .atMostOnce: break
    }
  }

  private mutating func observe(_ run: inout SimulatedRun) {
    guard var server = run.server as? ConnectedServer else { return }
    let heard = server.takeObserved()
    run.server = server
    for one in heard {
      for index in states.indices where states[index].property.isAboutRequests {
        match(&states[index], one)
      }
    }
  }

  private func match(_ state: inout State, _ heard: ConnectedServer.ObservedExchange) {
    guard state.violation == nil, case .atMostOnce(let scope) = state.property.kind else { return }
    let at = heard.request.at - start
    var values: [String: Value] = [:]
    for (name, _) in ScenarioProperty.requestVariables { values[name] = value(name, heard) }
    guard (try? state.property.expression.compiled.evaluate(values)) == true else { return }
    state.wasTried = true
    let key = scope == .item ? heard.request.id.item?.ofAnyGeneration : nil
    guard let first = state.matches[key] else {
      state.matches[key] = at
      return
    }
    let step = name(of: heard.request.id)
    let whose = heard.request.id.item.map { " of item \($0.ordinal + 1)" } ?? ""
    state.request = heard.request.id
    state.violation = (
      at,
      """
      '\(step)'\(whose) got status \(heard.status) a second time, first after \
      \(TraceText.time(first))
      """
    )
  }

  // MARK: Values

  private func reading(_ name: String, _ run: SimulatedRun) -> Int64 {
    if name.hasPrefix("items.") { return items(name) }
    if name.hasPrefix("device.") || name.hasPrefix("bytes.") || name.hasPrefix("transfers.") {
      return (run.device as? PhoneDevice).map { reading(name, $0, at: run.now) } ?? 0
    }
    switch name {
    case "time": return (run.now - run.start).milliseconds
    // A peak between two looks must not be missed.
    case "disk.used": return run.disk.peak > lastPeak ? run.disk.peak : run.disk.used
    case "disk.peak": return run.disk.peak
    case "requests.count": return Int64(run.tally.requests)
    case "reissues": return Int64(run.tally.reissues.values.reduce(0, +))
    default: return 0
    }
  }

  private func reading(_ name: String, _ phone: PhoneDevice, at now: Instant) -> Int64 {
    switch name {
    case "transfers.queued": Int64(phone.daemon.openCount)
    case "bytes.sent": Int64(phone.daemon.bytesSent)
    case "bytes.wasted": Int64(phone.daemon.bytesWasted)
    case "device.wakes": Int64(phone.counts.wakes)
    case "device.kills": Int64(phone.counts.kills)
    case "device.added_wait": phone.addedWait(at: now).milliseconds
    default: 0
    }
  }

  private func items(_ name: String) -> Int64 {
    func count(_ status: Item.Status) -> Int64 { lastCounts[status] ?? 0 }
    switch name {
    case "items.count": return lastCounts.values.reduce(0, +)
    case "items.completed": return count(.done)
    case "items.failed": return count(.failed)
    case "items.paused": return count(.paused)
    case "items.skipped": return count(.skipped)
    case "items.cancelled": return count(.cancelled)
    case "items.active": return count(.active)
    case "items.pending": return count(.pending)
    case "items.unfinished": return count(.active) + count(.pending)
    default: return 0
    }
  }

  private func activation(_ state: State, _ reissues: [Int: Int]) -> [String: Value] {
    var activation: [String: Value] = [:]
    for place in state.reads { activation[readings[place]] = value(place, reissues) }
    return activation
  }

  private func value(_ place: Int, _ reissues: [Int: Int]) -> Value {
    switch readings[place] {
    case "time", "device.added_wait": .duration(.milliseconds(values[place]))
    case "reissues":
      .map(MapValue(steps.enumerated().map { ($1.rawValue, Value.int(Int64(reissues[$0] ?? 0))) }))
    default: .int(values[place])
    }
  }

  private func name(of id: EffectID) -> String {
    id.step.map { steps[$0].rawValue } ?? "on_abandon"
  }

  private func value(_ name: String, _ heard: ConnectedServer.ObservedExchange) -> Value {
    let exchange = heard.request
    switch name {
    case "time": return .duration(exchange.at - start)
    case "request.step": return .string(self.name(of: exchange.id))
    case "request.item": return .int(exchange.id.item.map { Int64($0.ordinal) } ?? -1)
    case "request.purpose": return .string(exchange.purpose.rawValue)
    case "request.method": return .string(exchange.request.method)
    case "request.url": return .string(exchange.request.url)
    case "request.headers":
      return .map(
        MapValue(exchange.request.headers.map { ($0.name.lowercased(), Value.string($0.value)) }))
    case "request.size": return .int(exchange.bodySize)
    case "request.duplicate": return .bool(heard.isDuplicate)
    case "response.status": return .int(Int64(heard.status))
    case "response.lost": return .bool(heard.isLost)
    case "response.committed": return .bool(heard.isCommitted)
    default: return .null
    }
  }

  private func seen(_ state: State) -> String {
    state.reads.filter { readings[$0] != "reissues" }.map { place in
      switch readings[place] {
      case "time", "device.added_wait":
        "\(readings[place]) is \(TraceText.time(.milliseconds(values[place])))"
      default: "\(readings[place]) is \(values[place])"
      }
    }.joined(separator: ", ")
  }

  // MARK: Results

  /// Whether nothing that may still happen can change a result.
  var isDecided: Bool {
    states.allSatisfy { state in
      if state.violation != nil || state.reached != nil { return true }
      guard case .eventually(let within?) = state.property.kind else { return false }
      return lastLook > within
    }
  }

  /// The results of the properties when the run ended, this long after the start.
  func results(end: Duration, limit: Duration) -> [PropertyResult] {
    states.map { state in
      var violation = state.violation
      if case .eventually(let within) = state.property.kind, violation == nil, state.reached == nil
      {
        violation = (min(within ?? limit, limit), "was never true; at the end, \(seen(state))")
      }
      let isVacuous = violation == nil && (state.reached.map { $0 == .zero } ?? !state.wasTried)
      return PropertyResult(
        name: state.property.name, holds: violation == nil, violatedAt: violation?.at,
        explanation: violation?.explanation, isVacuous: isVacuous, request: state.request)
    }
  }
}

extension ScenarioProperty {
  var isAboutRequests: Bool { if case .atMostOnce = kind { true } else { false } }
}
