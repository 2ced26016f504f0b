import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

struct CheckpointFormTests {
  /// A state in the middle of a run, with secrets, lifetimes, failures and files in it.
  private func state(after milliseconds: Int64) throws -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    settings.limit = .milliseconds(milliseconds)
    var run = try Scene(count: 4).run(settings: settings) { exchange in
      exchange.id.attempt == 1 && exchange.request.url.contains("/content/")
        ? SimulatedResponse(status: 503, latency: .milliseconds(10)) : Scene.respond(to: exchange)
    }
    run.simulate()
    return run
  }

  @Test(arguments: Array(stride(from: 0, to: 3000, by: 90)))
  func `values kept unchanged lose the same as the stored form`(milliseconds: Int) throws {
    let run = try state(after: Int64(milliseconds))
    let state = try #require(run.state)
    let coding = CheckpointCoding(run.pipeline)
    let form = ValueForm()
    #expect(form.state(form.encode(state)) == (try coding.state(coding.encode(state))))
    for item in state.loops[0].active.values {
      let stored = try coding.item(
        item.key, subject: coding.encode(subject: item.subject), status: item.status,
        progress: coding.encode(progress: item))
      let kept = form.item(
        item.key, subject: form.encode(subject: item.subject), status: item.status,
        progress: form.encode(progress: item))
      #expect(kept == stored)
    }
  }
}
