import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// All connections of a transport, on all event loops.
///
/// Nothing waits here: a request without an idle connection gets a new one. The engine limits the number of concurrent exchanges, because
/// it has the reason for each wait. Idle connections are closed for those that are needed.
final class ConnectionPool: Sendable {
  private struct State {
    /// Idle connections, longest idle first: this leaves time for late data from the server to arrive.
    var idle: [Route: CircularBuffer<Idle>] = [:]
    var open: [ObjectIdentifier: HTTPConnection] = [:]
    var opening = 0
    var caught: Set<Origin> = []
    var turn = 0
    /// Whether ``sweep(on:)`` will be called;
    /// a timer for each connection would be created and cancelled with each exchange.
    var isSweepPlanned = false
    var isShutDown = false

    mutating func takeIdle(
      of route: Route, where isMeant: (Idle) -> Bool = { _ in true }
    ) -> HTTPConnection? {
      guard let place = idle[route]?.firstIndex(where: isMeant),
        let taken = idle[route]?.remove(at: place)
      else { return nil }
      if idle[route]?.isEmpty == true { idle[route] = nil }
      return taken.connection
    }
  }

  private struct Idle {
    let connection: HTTPConnection
    let since: NIODeadline
  }

  private let state = Mutex(State())
  private let loops: [any EventLoop]
  private let proxies: ProxySettings
  private let connector: Connector
  private let limit: Int
  private let idleTimeout: TimeAmount

  init(_ configuration: HTTPTransportConfiguration, loops: [any EventLoop], connector: Connector) {
    (self.loops, self.connector) = (loops, connector)
    proxies = configuration.proxies
    limit = max(1, configuration.exchanges)
    idleTimeout = .milliseconds(configuration.idleTimeout.milliseconds)
  }

  func route(to origin: Origin) -> Route { Route(origin: origin, proxy: proxies.proxy(to: origin)) }

  /// An idle connection, or the loop on which to establish one.
  func take(_ route: Route) -> (connection: HTTPConnection?, loop: any EventLoop) {
    state.withLock { state in
      if let taken = state.takeIdle(of: route) { return (taken, taken.loop) }
      state.turn = (state.turn + 1) % loops.count
      return (nil, loops[state.turn])
    }
  }

  /// Establishes a connection; an idle one of another route is closed if there are too many.
  func connect(
    _ route: Route, on loop: any EventLoop, by deadline: NIODeadline, _ passage: DestinationPolicy
  ) -> EventLoopFuture<HTTPConnection> {
    guard !state.withLock({ $0.isShutDown })
    else { return loop.makeFailedFuture(ExchangeFailure.interrupted) }
    let surplus: HTTPConnection? = state.withLock { state in
      state.opening += 1
      guard state.open.count + state.opening > limit else { return nil }
      let oldest = state.idle.min { first, second in
        (first.value.first?.since ?? .distantFuture) < (second.value.first?.since ?? .distantFuture)
      }
      guard let route = oldest?.key, let first = state.takeIdle(of: route) else { return nil }
      // It counts as gone: its descriptor is closed before the new one is needed, or shortly after.
      state.open[ObjectIdentifier(first)] = nil
      return first
    }
    surplus?.close()
    let connection = connector.connect(route, on: loop, by: deadline, passage, pool: self)
    connection.whenComplete { result in
      let isLate = self.state.withLock { state in
        state.opening -= 1
        if case .success(let connection) = result, connection.isOpen {
          state.open[ObjectIdentifier(connection)] = connection
        }
        return state.isShutDown
      }
      if isLate, case .success(let connection) = result { connection.close() }
    }
    return connection
  }

  func keep(_ connection: HTTPConnection) {
    let (isKept, isFirst) = state.withLock { state in
      guard !state.isShutDown, !state.caught.contains(connection.route.origin)
      else { return (false, false) }
      state.idle[connection.route, default: []].append(Idle(connection: connection, since: .now()))
      defer { state.isSweepPlanned = true }
      return (true, !state.isSweepPlanned)
    }
    guard isKept else { return connection.close() }
    if isFirst { planSweep(at: .now() + idleTimeout, on: connection.loop) }
  }

  private func planSweep(at moment: NIODeadline, on loop: any EventLoop) {
    loop.scheduleTask(deadline: moment) { self.sweep(on: loop) }
  }

  private func sweep(on loop: any EventLoop) {
    let now = NIODeadline.now()
    let (old, next) = state.withLock { state in
      var old: [HTTPConnection] = []
      for route in state.idle.keys {
        while let taken = state.takeIdle(of: route, where: { $0.since + idleTimeout <= now }) {
          old.append(taken)
        }
      }
      // Each list starts with the connection that was idle for the longest time.
      let next = state.idle.values.compactMap(\.first?.since).min()
      state.isSweepPlanned = next != nil
      return (old, next)
    }
    for connection in old { connection.close() }
    if let next { planSweep(at: next + idleTimeout, on: loop) }
  }

  /// Closes the idle connections of a route, because the server has closed one of them: the request must not meet another one.
  func closeIdle(of route: Route) {
    let idle = state.withLock { $0.idle.removeValue(forKey: route) }
    for kept in idle ?? [] { kept.connection.close() }
  }

  func forget(_ connection: HTTPConnection) {
    state.withLock { state in
      _ = state.takeIdle(of: connection.route, where: { $0.connection === connection })
      state.open[ObjectIdentifier(connection)] = nil
    }
  }

  func isCaught(_ origin: Origin) -> Bool { state.withLock { $0.caught.contains(origin) } }

  /// `origin` has sent unrequested data: from now on, each of its connections carries one exchange.
  func markUnsolicited(_ origin: Origin) {
    let connections: [HTTPConnection] = state.withLock { state in
      guard state.caught.insert(origin).inserted else { return [] }
      return state.open.values.filter { $0.route.origin == origin }
    }
    for connection in connections { connection.loop.execute { connection.markSuspect() } }
  }

  func shutdown() async {
    let connections = state.withLock { state in
      state.isShutDown = true
      return Array(state.open.values)
    }
    for connection in connections { connection.close() }
    for connection in connections { await connection.closed() }
    connector.shutdown()
  }
}
