import Foundation
import NIOHTTP1
import Testing

@testable import DemoServer

struct FaultInjectorTests {
  private func draws(_ plan: FaultPlan, count: Int = 1000) -> [Fault?] {
    let injector = FaultInjector(plan)
    return (0..<count).map { _ in injector.draw(for: .content) { _ in true }.fault }
  }

  @Test func `an empty plan lets everything pass`() {
    #expect(draws(FaultPlan()).allSatisfy { $0 == nil })
  }

  @Test func `the same seed produces the same faults at the requested rate`() {
    let profile = FaultProfile(probabilities: [.serverError: 0.2, .resetAfterCommit: 0.1])
    let first = draws(FaultPlan(seed: 7, standard: profile))
    #expect(first == draws(FaultPlan(seed: 7, standard: profile)))
    #expect(first != draws(FaultPlan(seed: 8, standard: profile)))
    #expect((150...250).contains(first.count { $0 == .serverError }))
    #expect((60...140).contains(first.count { $0 == .resetAfterCommit }))
  }

  @Test func `the process suspends itself only at the requested requests`() {
    let injector = FaultInjector(FaultPlan(suspendAt: [2, 4]))
    #expect(
      (1...5).map { _ in injector.draw(for: .content) { _ in true }.suspends }
        == [false, true, false, true, false])
  }

  @Test func `a route's own profile replaces the standard one`() {
    let plan = FaultPlan(
      standard: FaultProfile(probabilities: [.serverError: 1]),
      routes: [.content: FaultProfile(probabilities: [.tooManyRequests: 1])])
    #expect(draws(plan, count: 3) == [.tooManyRequests, .tooManyRequests, .tooManyRequests])
    let injector = FaultInjector(plan)
    #expect(injector.draw(for: .login) { _ in true }.fault == .serverError)
  }

  @Test func `an order waits for a request that it applies to and is used up`() {
    let injector = FaultInjector(FaultPlan())
    injector.order(.gone, on: .finalize, times: 2)
    #expect(injector.draw(for: .content) { _ in true }.fault == nil)
    #expect(injector.draw(for: .finalize) { _ in false }.fault == nil)
    #expect(injector.draw(for: .finalize) { _ in true }.fault == .gone)
    #expect(injector.draw(for: .finalize) { _ in true }.fault == .gone)
    #expect(injector.draw(for: .finalize) { _ in true }.fault == nil)
  }

  @Test func `latency is in its range`() {
    let profile = FaultProfile(latency: .milliseconds(10) ... .milliseconds(20))
    let injector = FaultInjector(FaultPlan(standard: profile))
    let delays = (0..<100).map { _ in injector.draw(for: .login) { _ in true }.latency }
    #expect(delays.allSatisfy { $0 >= .milliseconds(10) && $0 <= .milliseconds(20) })
    #expect(Set(delays).count > 50)
  }
}

struct FaultRoutesTests {
  @Test func `a server error and a throttle do nothing`() async throws {
    try await withServer({
      $0.faults.standard.retryAfter = .milliseconds(1500)
    }) { (server, client) async throws in
      server.inject(.serverError, on: .allocate)
      server.inject(.tooManyRequests, on: .allocate)
      let failed = try await client.send(.POST, "/v1/uploads", body: #"{"name":"a","size":1}"#)
      #expect([500, 502, 503].contains(failed.status))
      let throttled = try await client.send(.POST, "/v1/uploads", body: #"{"name":"a","size":1}"#)
      #expect(throttled.status == 429 && throttled.headers.first(name: "Retry-After") == "2")
      #expect(server.journal.count(of: .allocate) == 0)
      #expect(server.journal.entries.last?.fault == .tooManyRequests)
    }
  }

  @Test func `a reset before the commit does nothing and one after it does all`() async throws {
    try await withServer { (server, client) async throws in
      let id = try await client.allocate("a", size: 5)
      _ = try await client.send(.PUT, "/v1/uploads/\(id)/content", body: "hello")
      let path = "/v1/uploads/\(id)/finalize"
      server.inject(.resetBeforeCommit, on: .finalize)
      await #expect(throws: (any Error).self) { try await client.send(.POST, path) }
      #expect(try await client.send(.GET, "/v1/uploads/\(id)")["state"] == "uploaded")
      server.inject(.resetAfterCommit, on: .finalize)
      await #expect(throws: (any Error).self) { try await client.send(.POST, path) }
      #expect(try await client.send(.GET, "/v1/uploads/\(id)")["state"] == "complete")
      #expect(server.journal.finalizedCount(name: "a") == 1)
      let cut = server.journal.entries.filter { $0.path == path }
      #expect(cut.map(\.event) == [.interrupted, .finalize])
      #expect(cut.map(\.status) == [nil, nil])
    }
  }

  @Test func `a body is cut inside and leaves nothing`() async throws {
    try await withServer { (server, client) async throws in
      let id = try await client.allocate("a", size: 1 << 20)
      server.inject(.resetBeforeCommit, on: .content)
      let body = String(repeating: "x", count: 1 << 20)
      await #expect(throws: (any Error).self) {
        try await client.send(.PUT, "/v1/uploads/\(id)/content", body: body)
      }
      #expect(try await client.send(.GET, "/v1/uploads/\(id)")["state"] == "allocated")
      #expect(
        try await client.send(.PUT, "/v1/uploads/\(id)/content", body: body).status == 200)
    }
  }

  @Test func `an injected 401 removes the token and a 410 the upload`() async throws {
    try await withServer { (server, client) async throws in
      let id = try await client.allocate("a", size: 5)
      server.inject(.unauthorized)
      #expect(try await client.send(.GET, "/v1/uploads/\(id)").status == 401)
      #expect(try await client.send(.GET, "/v1/uploads/\(id)").status == 401)
      let again = try await client.signedIn()
      server.inject(.gone, on: .content)
      #expect(
        try await again.send(.PUT, "/v1/uploads/\(id)/content", body: "hello").status == 410)
      #expect(try await again.send(.GET, "/v1/uploads/\(id)").status == 410)
    }
  }

  @Test func `a plan can be replaced while the server runs`() async throws {
    try await withServer { (server, client) async throws in
      server.setFaults(FaultPlan(standard: FaultProfile(probabilities: [.serverError: 1])))
      let faulty = try await client.send(.GET, "/v1/uploads/x")
      server.setFaults(FaultPlan())
      let sound = try await client.send(.GET, "/v1/uploads/x")
      #expect(faulty.status >= 500 && sound.status == 404)
    }
  }
}
