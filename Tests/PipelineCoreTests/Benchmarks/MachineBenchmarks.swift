import CEL
import Foundation
import MachineSupport
import PipelineCore
import Testing

/// How many events the machine takes in; only with `BENCH=1`, and meant for a release build.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BENCH"] == "1"))
struct MachineBenchmarks {
  @Test(arguments: [8, 256])
  func `the machine takes in 50,000 events a second`(concurrency: Int) {
    let pipeline = SmallPipelines.photos(
      concurrency: concurrency, budgets: Budgets(diskBytes: 1 << 40, transfers: 1000))
    let count = 100_000
    let subjects = ModelWorld.subjects(Array(repeating: 100, count: count))
    let items = subjects.enumerated().map { ordinal, subject in
      Item(key: ItemKey(loop: 0, ordinal: ordinal), subject: subject)
    }
    var machine = Machine(
      ModelWorld.state(of: pipeline, files: count), evaluator: Evaluator(pipeline))
    let answers = Self.answers
    var events: [Event] = [.runBegan]
    var next = 0
    var total = 0
    let clock = ContinuousClock()
    let begun = clock.now
    var now = Instant(milliseconds: 0)
    while next < events.count {
      let event = events[next]
      next += 1
      total += 1
      if total % 100 == 0 { now = now + .milliseconds(1) }
      for effect in machine.apply(event, at: now) {
        switch effect {
        case .perform(let command):
          events.append(.concluded(command.id, answers[command.id.step]))
        case .loadItems(let loop, _, let after, let limit):
          let page = Array(items[(after + 1)..<min(after + 1 + limit, count)])
          events.append(.itemsLoaded(loop: loop, page, isLast: page.count < limit))
        case .discardFiles(let key, let bytes):
          events.append(.filesDiscarded(key, bytes: bytes))
        case .enumerate, .interrupt, .setTimer, .endAllowance, .stop: break
        }
      }
      if total % 64 == 0 { _ = machine.takeCheckpoint() }
      if next > 4096 {
        events.removeFirst(next)
        next = 0
      }
    }
    let seconds = (clock.now - begun) / .seconds(1)
    print("concurrency \(concurrency): \(total) events, \(Int(Double(total) / seconds)) events/s")
    #expect(machine.state.loops[0].counts[.done] == count)
    #expect(Double(total) / seconds > 50_000)
  }

  private static let answers: [Verdict] = [
    .token("t"), .upload("u", at: 100_000), .file(100), .ok(), .ok(),
  ]
}
