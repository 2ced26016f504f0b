import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import TestSupport
import Testing
import HistorySupport

/// Replaying the history yields the stored state.
struct HistoryFoldTests {
  /// A run with restarts, lost answers and dead ids, that kept its history.
  private func run() throws -> SimulatedRun {
    var settings = SimulatedRun.Settings()
    settings.keepsHistory = true
    settings.interventions = [(.milliseconds(250), .restart), (.milliseconds(950), .restart)]
    let jittered = Scene.photos.replacing("jitter: none", with: "jitter: full")
    var run = try Scene(jittered, files: ["a": 10, "b": 20, "c": 30, "d": 40]).run(
      settings: settings
    ) { exchange in
      let isFirst = exchange.id.attempt == 1
      switch exchange.id.item?.ordinal {
      case 0? where exchange.request.url.contains("/finalize/") && isFirst: return Scene.lost()
      case 1? where exchange.request.url.hasSuffix("/content/id-b-1"):
        return SimulatedResponse(status: 410)
      case 2? where exchange.request.url.contains("/allocate/"):
        return SimulatedResponse(status: 503)
      default: return Scene.respond(to: exchange)
      }
    }
    run.simulate()
    return run
  }

  private func fold(
    _ run: SimulatedRun, leavingOut isLeftOut: (HistoryBatch) -> Bool = { _ in false }
  ) throws -> [String] {
    let scene = try Scene(Scene.photos)
    let stored = try run.table.load()
    let created = RunState(
      id: stored.id, pipeline: run.pipeline, inputs: stored.inputs,
      secrets: scene.inputs.secrets, seed: 1, began: stored.began)
    var beginning = created
    beginning.loops[0].isEnumerated = true
    var fold = try HistoryFold(beginning, items: [run.items(loop: 0)], pipeline: run.pipeline)
    for batch in run.table.history(after: 0, limit: .max) where !isLeftOut(batch) {
      try fold.fold(batch, over: run.table)
    }
    return try fold.differences(from: run.table)
  }

  @Test func `a history with restarts, a probe, a reissue and a pause yields the stored state`()
    throws
  {
    let run = try run()
    #expect(run.tally.launches == 3)
    #expect(run.count(.paused) == 1)
    #expect(run.count(.done) == 3)
    #expect(run.table.history(after: 0, limit: .max).count > 20)
    #expect(try fold(run) == [])
  }

  @Test func `where a batch of the history is missing, the fold reports the difference`() throws {
    let run = try run()
    let all = run.table.history(after: 0, limit: .max)
    let concluded = all.filter {
      String(decoding: $0.events, as: UTF8.self).contains(#""verdict":"success""#)
    }
    let lost = try #require(concluded.last)
    #expect(try fold(run) { $0.sequence == lost.sequence } != [])
  }

  @Test func `events are read back as they were written`() throws {
    let pipeline = try Scene().pipeline
    let coding = HistoryCoding(pipeline)
    let run = RunID("r")
    let key = ItemKey(loop: 0, ordinal: 3)
    let id = EffectID(run: run, item: key, step: 2, generation: 2, attempt: 3)
    let failure = Failure("no", status: 503)
    let result = StepResult(
      outputs: [OutputValue(value: 1.5, expires: Instant(milliseconds: 5))],
      file: FileValue(path: "a", name: "a", size: 1, modified: 2), status: 201,
      duration: .milliseconds(7), bytes: 9)
    let verdicts: [Verdict] = [
      .success(result),
      .results(
        StepResult(status: 200, duration: .milliseconds(1)), [.success(result), .notDone]),
      .retry(failure, after: Instant(milliseconds: 9), progressed: true), .retry(failure),
      .expired(step: 1, failure), .fail(failure), .pause(failure), .unknown(failure),
      .unavailable(.diskSpace, failure), .poll(at: Instant(milliseconds: 3)), .poll(at: nil),
      .interrupted,
      .notDone, .itemDone, .itemSkipped(failure),
    ]
    let item = Item(key: key, subject: .value("a"))
    let events: [Event] =
      [
        .runBegan, .runResumed, .itemsEnumerated(loop: 0, count: 4),
        .enumerationFailed(loop: 0, failure), .itemsLoaded(loop: 0, [item], isLast: true),
        .filesDiscarded(key, bytes: 5), .filesDiscarded(nil, bytes: 5), .timerFired,
        .serverTimeRead(.init(host: "example.org", offset: ClockOffset(low: -7, high: 3))),
        .moved(id, from: 0, to: 7), .moved(id, from: 7, to: 8),
        .redirected(
          id, [.init(status: 307, url: "http://a/b"), .init(status: 302, url: "http://c")]),
        .allowanceGranted(until: Instant(milliseconds: 4)), .allowanceGranted(until: nil),
        .allowanceExpiring, .pauseRequested(failure), .unpaused, .cancelRequested,
        .itemsRequeued(loop: 0, paused: 1, failed: 2),
      ] + Renewal.allCases.map { .renewalRequested(id, $0) } + verdicts.map { .concluded(id, $0) }
    #expect(try coding.decode(coding.encode(events), of: run) { _ in item } == events)
    let bad = [
      #"{}"#, #"[1]"#, #"[{"event":"none"}]"#, #"[{"event":"concluded","attempt":1}]"#, "[",
    ]
    for text in bad {
      #expect(throws: CheckpointCoding.Damage.self) {
        try coding.decode(Array(text.utf8), of: run) { _ in item }
      }
    }
  }
}
