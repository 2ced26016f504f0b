import PipelineCore
import PipelineEngine
import Testing

struct EventQueueTests {
  @Test func `while the process is suspended, responses wait and device events are handled`() {
    var queue = EventQueue()
    queue.suspend()
    let held = queue.post(.timerFired)
    #expect(held == 1)
    #expect(queue.isEmpty)
    queue.post(.allowanceExpiring, fromDevice: true)
    #expect(queue.takeAll() == [.allowanceExpiring])
    queue.resume(with: .allowanceGranted(until: nil))
    #expect(queue.takeAll() == [.allowanceGranted(until: nil), .timerFired])
    #expect(queue.isEmpty && !queue.isSuspended)
  }

  @Test func `all waiting events are processed at once, in order`() {
    var queue = EventQueue()
    queue.post(.runBegan)
    queue.post(.timerFired)
    #expect(queue.takeAll() == [.runBegan, .timerFired])
    #expect(queue.takeAll() == [])
  }
}

/// The loop's core without any shell.
struct RunCoreTests {
  private func core() throws -> (core: RunCore, fixture: Fixture) {
    let fixture = try Fixture()
    var state = RunState(
      id: RunID("run"), pipeline: fixture.pipeline, inputs: [:], secrets: fixture.secrets, seed: 1,
      began: fixture.clock.now())
    state.loops[0].isEnumerated = true
    return (RunCore(state, epoch: 7, evaluator: Evaluator(fixture.pipeline)), fixture)
  }

  @Test func `a turn returns the checkpoint with its epoch, and the effects`() throws {
    var (core, fixture) = try core()
    let now = fixture.clock.now()
    let turn = core.turn([.runBegan], at: now)
    #expect(turn.batch.epoch == 7 && turn.batch.at == now && turn.batch.events == [.runBegan])
    #expect(turn.batch.isDurable, "a request is about to be sent")
    #expect(turn.batch.state?.frame[0].status == .running)
    guard case .perform(let command)? = turn.effects.first else {
      Issue.record("\(turn.effects)")
      return
    }
    let interpreter = Interpreter(core.machine.evaluator)
    guard case .send(let request) = interpreter.operation(for: command) else {
      Issue.record("\(command)")
      return
    }
    #expect(request.url == "http://server/login")
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"password":"pa55"}"#)
    #expect(!core.hasStopped)
  }

  @Test func `a response becomes a verdict, and an empty run stops after it`() throws {
    var (core, fixture) = try core()
    let now = fixture.clock.now()
    guard case .perform(let command)? = core.turn([.runBegan], at: now).effects.first else {
      Issue.record("nothing is sent")
      return
    }
    let interpreter = Interpreter(core.machine.evaluator)
    let operation = interpreter.operation(for: command)
    let lost = Response(
      status: 0, url: "http://server/login",
      error: TransportFailure(.interrupted, message: "stopped", mayHaveBeenSent: true), sent: now,
      received: now)
    #expect(interpreter.verdict(on: lost, to: operation, of: command) == .interrupted)
    let response = Response(
      status: 200, body: Array(#"{"token": "t"}"#.utf8), url: "http://server/login", sent: now,
      received: now)
    let verdict = interpreter.verdict(on: response, to: operation, of: command)
    let turn = core.turn([.concluded(command.id, verdict)], at: now)
    #expect(core.hasStopped)
    #expect(turn.batch.state?.status == .finished)
  }
}
