import PipelineCore
import PipelineSimulator
import Testing

struct ExecutionAllowanceTests {
  private let start = Instant(milliseconds: 0)
  private let rules = ExecutionAllowance.Rules(afterForeground: .seconds(180))

  private func second(_ number: Int64) -> Instant { Instant(milliseconds: number * 1000) }

  private func behind(
    _ rules: ExecutionAllowance.Rules, assertions: Int = 1, seed: UInt64 = 1
  ) -> ExecutionAllowance {
    var allowance = ExecutionAllowance(rules, seed: seed)
    for _ in 0..<assertions { _ = allowance.beginAssertion() }
    #expect(
      allowance.leaveForeground(at: start) == [.granted(until: start + rules.afterForeground)])
    return allowance
  }

  @Test(arguments: [("classic", 180), ("ios7", 180), ("ios8", 180), ("ios13", 30), ("ios26", 30)])
  func `BT1: how long a process runs after it leaves the foreground`(
    name: String, seconds: Int64
  ) throws {
    let profile = try #require(DeviceProfile.named(name))
    var allowance = behind(profile.allowance)
    #expect(allowance.due == second(seconds - 5))
    #expect(allowance.advance(to: second(seconds - 6)) == [])
    #expect(allowance.advance(to: second(seconds - 5)) == [.expiring])
    #expect(allowance.endAssertion() == [.suspended])
    #expect(allowance.due == nil)
  }

  @Test func `BT2: a resume by the service gives 30 s`() {
    var allowance = behind(rules)
    _ = allowance.endAssertion()
    #expect(allowance.resume(at: second(1000)) == [.granted(until: second(1030))])
    #expect(allowance.advance(to: second(1025)) == [.expiring])
  }

  @Test func `BT3: the handler may run any time before, and the process is not informed when`() {
    var early = rules
    early.certainPart = 0.2
    var ends: Set<Instant> = []
    for seed in 0..<40 as Range<UInt64> {
      let allowance = behind(early, seed: seed)
      if let due = allowance.due { ends.insert(due) }
    }
    #expect(ends.count > 20)
    #expect(ends.allSatisfy { $0 >= second(36 - 5) && $0 <= second(175) })
  }

  @Test func `BT4: a process that does not end the assertion is killed`() {
    var allowance = behind(rules)
    #expect(allowance.advance(to: second(175)) == [.expiring])
    #expect(allowance.advance(to: second(180)) == [.killed(.assertionNotEnded)])
    #expect(!allowance.isRunning)
  }

  @Test func `BT5: an assertion may be refused, and then the process sleeps at once`() {
    var refusing = rules
    refusing.refusals = 1
    var allowance = ExecutionAllowance(refusing)
    let isGranted = allowance.beginAssertion()
    #expect(!isGranted)
    #expect(allowance.leaveForeground(at: start) == [.suspended])
  }

  @Test func `BT6: an assertion that is started twice and ended once kills`() {
    var allowance = behind(rules, assertions: 2)
    _ = allowance.advance(to: second(175))
    #expect(allowance.endAssertion() == [])
    #expect(allowance.advance(to: second(180)) == [.killed(.assertionLeaked)])
  }

  @Test func `BT7: the time left is known only in the background with an assertion`() {
    var allowance = ExecutionAllowance(rules)
    _ = allowance.beginAssertion()
    #expect(allowance.remaining(at: start) == nil)
    _ = allowance.leaveForeground(at: start)
    #expect(allowance.remaining(at: second(100)) == .seconds(80))
    _ = allowance.endAssertion()
    #expect(allowance.remaining(at: second(101)) == nil)
  }

  @Test func `BT8: a callback of more than 5 s kills`() {
    var allowance = ExecutionAllowance(rules)
    _ = allowance.beginAssertion()
    #expect(
      allowance.leaveForeground(at: start, work: .milliseconds(5001)) == [.killed(.callbackTooSlow)]
    )
  }

  @Test func `BT9: without an assertion the process sleeps as soon as the callback returns`() {
    var allowance = ExecutionAllowance(rules)
    #expect(allowance.leaveForeground(at: start) == [.suspended])
  }

  @Test func `BT10: in front, as under a debugger, nothing ends`() {
    var allowance = ExecutionAllowance(rules)
    #expect(allowance.advance(to: second(1_000_000)) == [])
    #expect(allowance.due == nil)
  }
}
