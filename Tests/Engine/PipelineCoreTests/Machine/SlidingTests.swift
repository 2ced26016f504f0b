import CEL
import MachineSupport
import PipelineCore
import Testing

/// Lifetimes that start over with each use.
struct SlidingTests {
  private func value(_ text: String, at seconds: Int64, slides: Bool = true) -> OutputValue {
    OutputValue(
      value: .string(text), expires: Instant(milliseconds: (seconds + 600) * 1000),
      staleFrom: Instant(milliseconds: (seconds + 590) * 1000), slide: slides ? .seconds(600) : nil)
  }

  /// A session that two steps use in turn.
  private func session(slides: Bool = true) -> RunHarness {
    var builder = PipelineBuilder()
    builder.input("files", .files)
    builder.loop("item")
    builder.step(
      "open", .request(RequestTemplate(url: builder.template("http://h"))),
      outputs: [OutputDeclaration(name: "id", value: builder.template("${{ response.text }}"))])
    for id in ["first", "second"] {
      builder.step(
        id, .request(RequestTemplate(url: builder.template("http://h/${{ steps.open.id }}"))),
        dependsOn: id == "second" ? ["first"] : [])
    }
    let run = RunHarness(builder.pipeline(), files: [1])
    run.send(.runBegan, at: 0)
    run.load()
    run.answer("open", of: 0, .ok(value("s", at: 0, slides: slides)), at: 0)
    run.pass()
    return run
  }

  private func expiry(_ run: RunHarness) -> Int64? {
    run.step("open", of: 0)?.outputs.first?.expires.map { $0.milliseconds / 1000 }
  }

  @Test func `without it, a use changes nothing`() {
    let run = session(slides: false)
    run.answer("first", of: 0, .ok(), at: 400)
    #expect(expiry(run) == 600)
  }

  @Test func `a failed use changes nothing`() {
    let run = session()
    run.answer("first", of: 0, .busy, at: 400)
    #expect(expiry(run) == 600)
  }

  @Test func `a successful use starts it over, at the time of its request`() {
    let run = session()
    run.answer("first", of: 0, .ok(), at: 400)
    // The response took 100 ms.
    #expect(run.step("open", of: 0)?.outputs.first?.expires == Instant(milliseconds: 999_900))
    #expect(run.step("open", of: 0)?.outputs.first?.staleFrom == Instant(milliseconds: 989_900))
    run.expect("0/0 second 1.1")
    // Later than the first lifetime, within the second.
    run.answer("second", of: 0, .busy, at: 700)
    run.send(.timerFired, at: 750)
    run.pass()
    #expect(run.step("open", of: 0)?.generation == 1)
  }

  @Test func `a use of an older value does not lengthen the new one`() {
    let renewed = value("s", at: 0)
    #expect(renewed == value("s", at: 0))
    let run = session()
    run.answer("first", of: 0, .expired(step: 0, Failure("gone")), at: 10)
    run.answer("open", of: 0, .ok(value("t", at: 20)), at: 20)
    #expect(expiry(run) == 620)
  }
}
