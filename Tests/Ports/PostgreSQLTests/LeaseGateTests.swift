import PipelinePostgreSQL
import Testing

/// What a worker sends while its lease lasts, and what it no longer sends after that.
struct LeaseGateTests {
  private func gate(_ time: Duration) -> LeaseGate { LeaseGate(until: .now + time) }

  /// Ends only when it is interrupted.
  private static let endless: @Sendable () async -> String = {
    let (nothing, source) = AsyncStream<Int>.makeStream()
    for await _ in nothing {}
    withExtendedLifetime(source) {}
    return "interrupted"
  }

  @Test func `an exchange continues while the lease lasts`() async {
    let gate = gate(.seconds(3600))
    #expect(gate.isOpen)
    #expect(await gate.during { Task.isCancelled } == false)
  }

  @Test func `an exchange is interrupted when the lease ends, and at once if it is cancelled`()
    async
  {
    #expect(await gate(.milliseconds(20)).during(Self.endless) == "interrupted")
    let gate = gate(.seconds(3600))
    let task = Task { await gate.during(Self.endless) }
    task.cancel()
    #expect(await task.value == "interrupted")
  }

  @Test func `an exchange begins only when the gate is open again`() async {
    let gate = gate(.seconds(-1))
    #expect(!gate.isOpen)
    let task = Task { await gate.during { gate.isOpen } }
    await Task.yield()
    gate.extend(to: .now + .seconds(3600))
    #expect(await task.value)
  }

  @Test func `what is cancelled before a closed gate begins as something cancelled`() async {
    let gate = gate(.seconds(-1))
    let task = Task { await gate.during { Task.isCancelled } }
    task.cancel()
    #expect(await task.value)
  }

  @Test func `a renewal lengthens a lease, and never shortens it`() {
    let gate = gate(.seconds(3600))
    gate.extend(to: .now - .seconds(1))
    #expect(gate.isOpen)
  }

  @Test func `a gate that was closed for good is not opened by a renewal that was under way`()
    async
  {
    let gate = gate(.seconds(3600))
    gate.close()
    gate.extend(to: .now + .seconds(3600))
    #expect(!gate.isOpen)
    let task = Task { await gate.during { Task.isCancelled } }
    task.cancel()
    #expect(await task.value)
  }
}
