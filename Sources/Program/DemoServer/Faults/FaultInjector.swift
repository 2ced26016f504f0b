import Synchronization

/// Decides the fault of each request, from the plan and from requests through the API.
final class FaultInjector: Sendable {
  struct Draw: Sendable {
    var fault: Fault?
    var latency: Duration = .zero
    var retryAfter: Duration = .seconds(1)
    var bodyBytesPerSecond: Int?
    /// Where in 0..<1 of its length a body is cut, and which server error is chosen.
    var fraction = 0.0
    /// Whether the process suspends itself before it answers.
    var suspends = false
  }

  fileprivate struct Order {
    let fault: Fault
    let route: RouteKind?
    var remaining: Int
  }

  fileprivate struct State {
    var plan: FaultPlan
    var generator: SplitMix64
    var orders: [Order] = []
    var requests = 0
  }

  private let state: Mutex<State>

  init(_ plan: FaultPlan) {
    state = Mutex(State(plan: plan, generator: SplitMix64(seed: plan.seed)))
  }

  func replace(_ plan: FaultPlan) {
    state.withLock {
      $0.plan = plan
      $0.generator = SplitMix64(seed: plan.seed)
    }
  }

  func order(_ fault: Fault, on route: RouteKind?, times: Int) {
    guard times > 0 else { return }
    state.withLock { $0.orders.append(Order(fault: fault, route: route, remaining: times)) }
  }

  /// Draws the fault of a request on `route`; `applies` returns whether a fault makes sense for it.
  func draw(for route: RouteKind, applies: (Fault) -> Bool) -> Draw {
    state.withLock { state in
      let profile = state.plan.routes[route] ?? state.plan.standard
      // Three numbers for every request, needed or not, so that one request's fate does not
      // depend on the requests before it.
      let choice = state.generator.nextFraction()
      let delay = state.generator.nextFraction()
      let fraction = state.generator.nextFraction()
      var draw = Draw(
        retryAfter: profile.retryAfter, bodyBytesPerSecond: profile.bodyBytesPerSecond,
        fraction: fraction)
      state.requests += 1
      draw.suspends = state.plan.suspendAt.contains(state.requests)
      let span = profile.latency.upperBound - profile.latency.lowerBound
      draw.latency = profile.latency.lowerBound + span * delay
      draw.fault =
        state.takeOrder(for: route, applies: applies)
        ?? Self.choose(choice, among: profile.probabilities, applies: applies)
      return draw
    }
  }

  private static func choose(
    _ choice: Double, among probabilities: [Fault: Double], applies: (Fault) -> Bool
  ) -> Fault? {
    guard !probabilities.isEmpty else { return nil }
    var bound = 0.0
    // The order of cases, since a dictionary's order differs from run to run.
    for fault in Fault.allCases {
      bound += probabilities[fault] ?? 0
      if choice < bound { return applies(fault) ? fault : nil }
    }
    return nil
  }
}

extension FaultInjector.State {
  fileprivate mutating func takeOrder(for route: RouteKind, applies: (Fault) -> Bool) -> Fault? {
    let match = orders.firstIndex { order in
      (order.route == nil || order.route == route) && applies(order.fault)
    }
    guard let match else { return nil }
    let fault = orders[match].fault
    orders[match].remaining -= 1
    if orders[match].remaining == 0 { orders.remove(at: match) }
    return fault
  }
}
