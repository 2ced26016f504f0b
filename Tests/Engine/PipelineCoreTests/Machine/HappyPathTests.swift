import CEL
import MachineSupport
import PipelineCore
import Testing

struct HappyPathTests {
  @Test func `a photo passes through every step and the run finishes`() {
    let run = RunHarness(SmallPipelines.photos(), files: [100])
    run.send(.runBegan, at: 0)
    run.expect("run sign_in 1.1")
    run.answer("sign_in", .token("t1"), at: 1)
    run.expect("load 0 pending > -1")
    run.load()
    run.expect("0/0 allocate 1.1")
    run.answer("allocate", of: 0, .upload("u1", at: 2), at: 2)
    run.expect("0/0 body 1.1 \(bodySize) B")
    run.answer("body", of: 0, .file(bodySize), at: 3)
    run.expect("0/0 upload 1.1")
    run.answer("upload", of: 0, .ok(), at: 4)
    run.expect("0/0 finalize 1.1")
    run.answer("finalize", of: 0, .ok(), at: 5)
    run.expect("discard 0/0 \(bodySize)")
    run.discard()
    run.expect("stop")
    run.finish()
    #expect(run.machine.state.status == .finished)
    #expect(run.machine.state.loops[0].counts[.done] == 1)
    #expect(run.machine.reservedDiskBytes == 0)
    #expect(run.row(0).frame.isEmpty)
  }

  @Test func `a run without items finishes at once`() {
    let run = RunHarness(SmallPipelines.single())
    run.send(.runBegan, at: 0)
    run.expect("stop")
    #expect(run.machine.state.status == .finished)
  }

  @Test func `no more items are worked on than the loop allows`() {
    let run = RunHarness(SmallPipelines.single(concurrency: 2), files: [1, 1, 1])
    run.send(.runBegan, at: 0)
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 1.1", "0/1 send 1.1")
    run.answer("send", of: 0, .ok())
    run.answer("mark", of: 0, .ok())
    run.expect("0/0 mark 1.1", "0/2 send 1.1")
  }

  @Test func `steps after a loop run when its items are finished, and a list may come from a step`()
  {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    let request = Step.Action.request(
      RequestTemplate(url: builder.template("${{ inputs.server }}/list")))
    builder.step(
      "list", request,
      outputs: [
        OutputDeclaration(name: "names", value: builder.template("${{ response.json.names }}"))
      ])
    builder.loop("name", in: "steps.list.names")
    builder.step(
      "send",
      .request(
        RequestTemplate(url: builder.template("${{ inputs.server }}/${{ name }}"))))
    builder.endLoop()
    builder.step("close", request)
    let run = RunHarness(builder.pipeline())
    run.send(.runBegan, at: 0)
    run.expect("run list 1.1")
    run.answer("list", .ok(OutputValue(value: .list([.string("a")]))))
    run.expect("enumerate 0")
    run.enumerate(0, [.value(.string("a"))])
    run.load()
    run.expect("load 0 pending > -1", "0/0 send 1.1")
    run.answer("send", of: 0, .ok())
    run.expect("run close 1.1")
    run.answer("close", .ok())
    run.expect("stop")
  }

  @Test func `a condition that fails pauses the run, and names step and reason`() {
    let run = RunHarness(SmallPipelines.failing(inRunScope: true), files: [1])
    run.send(.runBegan, at: 0)
    run.expect("stop")
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.message.contains("has no value") == true)
    #expect(run.step("look")?.failure == run.machine.state.reason)
    #expect(run.blocker() == .stopped)
  }

  @Test func `a list that cannot be created pauses the run with the reason`() {
    var builder = PipelineBuilder()
    builder.loop("name", in: "[inputs.text]")
    builder.step(
      "send", .request(RequestTemplate(url: builder.template("http://h/${{ name }}"))))
    builder.endLoop()
    let run = RunHarness(builder.pipeline())
    run.send(.runBegan, at: 0)
    run.expect("enumerate 0")
    #expect(run.blocker() == .enumeration(loop: 0))
    run.send(.enumerationFailed(loop: 0, Failure("expected a list")))
    run.expect("stop")
    #expect(run.machine.state.status == .paused)
    #expect(run.machine.state.reason?.message == "expected a list")
    #expect(run.blocker() == .stopped)
    run.send(.unpaused, at: 1)
    run.expect("enumerate 0")
  }
}

/// Bytes of the multipart body of the file `0.jpg` of 100 bytes.
let bodySize: Int64 = {
  let pipeline = SmallPipelines.photos()
  let state = ModelWorld.state(of: pipeline, files: 1)
  let item = Item(key: ItemKey(loop: 0, ordinal: 0), subject: ModelWorld.subjects([100])[0])
  guard case .materialize(let template) = pipeline.steps[2].action else { return 0 }
  let id = EffectID(run: state.id, item: item.key, step: 2, generation: 1, attempt: 1)
  let scope = Scope(state, item: item, now: Instant(milliseconds: 0))
  return (try? Evaluator(pipeline).plan(template, scope, id: id).size) ?? 0
}()
