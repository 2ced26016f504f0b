import Basics
package import CEL
package import PipelineCore
package import PipelineEngine

/// A small pipeline, and runs of it with every field filled.
package enum Sample {
  /// A text that must not be found in any store.
  package static let secret = "hunter2-f00dcafe"

  package static let pipeline = Pipeline(
    name: "photos", description: nil,
    inputs: [
      InputDeclaration(name: "server", kind: .url, location: place),
      InputDeclaration(name: "password", kind: .secret, location: place),
    ],
    budgets: Budgets(diskBytes: 1 << 20, transfers: 4), nodes: [.step(0), .loop(0), .loop(1)],
    steps: [
      step("sign_in", loop: nil, 0, outputs: ["token"], secret: true),
      step("allocate", loop: 0, 0, outputs: ["upload_id", "note"]),
      Step(
        id: StepID("body"), loop: 0, position: 1,
        action: .materialize(MaterializeTemplate(source: .text(Template(text: "body")))),
        location: place),
      step("finalize", loop: 0, 2),
      Step(
        id: StepID("parts"), loop: 0, position: 3,
        action: .forEach(
          PartsTemplate(
            variable: "part", items: numbers, concurrency: 2,
            collect: [NamedTemplate(name: "etags", value: Template(text: ""))])),
        location: place),
      Step(
        id: StepID("send"), loop: 0, position: 0, action: .request(request), partOf: 4,
        location: place),
      step("tag", loop: 1, 0),
    ],
    loops: [loop("photo", steps: [1, 2, 3, 4]), loop("tag", steps: [6])])

  private static let place = SourceLocation(file: "photos.yaml", line: 1, column: 1)
  private static let request = RequestTemplate(url: Template(text: "https://example.org/"))

  private static func step(
    _ id: String, loop: Int?, _ position: Int, outputs: [String] = [], secret: Bool = false
  ) -> Step {
    Step(
      id: StepID(id), loop: loop, position: position, action: .request(request),
      outputs: outputs.map {
        OutputDeclaration(name: $0, value: Template(text: ""), isSecret: secret)
      }, location: place)
  }

  private static var numbers: Expression {
    guard let list = Environment.standard.compile("[1, 2, 3]").expression else {
      preconditionFailure("a list of numbers compiles")
    }
    return Expression(list, at: place)
  }

  private static func loop(_ variable: String, steps: [Int]) -> Loop {
    Loop(
      variable: variable, items: numbers, filesInput: nil, concurrency: 8,
      steps: steps, onAbandon: [Abandonment(request: request, uses: [])], location: place)
  }

  package static let began = Instant(milliseconds: 1_773_482_400_123)

  package static func state(keySeed: String? = nil, shard: Shard? = nil) -> RunState {
    RunState(
      id: RunID("photos-20260314-101502-k3f9"), pipeline: pipeline,
      inputs: ["server": .string("https://example.org/ä\u{1}\"\\")],
      secrets: ["password": .string(secret)], seed: .max, began: began,
      keySeed: keySeed, shard: shard)
  }

  /// Sets each field of the run to a value other than its first.
  package static func fill(_ state: inout RunState) {
    state.status = .paused
    state.reason = Failure("sign_in: the server says 503", status: 503)
    state.frame = [
      full(OutputValue(value: .string(secret), isSecret: true, expires: began, staleFrom: began))
    ]
    _ = state.random.next()
    state.clocks = ["example.org": ClockOffset(low: -5, high: 12)]
    state.pace = Pace(bytesPerSecond: 1_234_567.875, requestSeconds: 0.25)
    state.buckets = [
      "init": TokenBucket(full: began + .seconds(50), rest: 3),
      Rate.ofAllRequests: TokenBucket(full: began),
    ]
    state.pauses = [
      "https://example.org": HostPause(
        until: began + .seconds(9), next: began + .seconds(10), gap: .milliseconds(500))
    ]
    state.ended = began + .seconds(7)
    state.time = TimeAnchor(boot: "5f0c1e52", origin: began - .seconds(60))
    state.loops[0].bytesMoved = 1 << 40
  }

  /// A step's state without any first value.
  package static func full(_ outputs: OutputValue...) -> StepState {
    var step = StepState()
    step.status = .unknown
    step.generation = 3
    step.attempt = 4
    step.failures = 2
    step.reissues = 1
    step.unusedInvalidations = 1
    step.isInvalidated = true
    step.isForeign = true
    step.since = began + .seconds(1)
    step.begun = began + .seconds(2)
    step.notBefore = began + .seconds(3)
    step.slower = .seconds(15)
    step.unknownSince = began + .seconds(4)
    step.earliest = began + .seconds(5)
    step.challenges = 1
    step.failure = Failure(
      "connection reset", status: 502, lacking: .network, duration: .seconds(2))
    step.statuses = [503, 429, 502]
    step.outputs = outputs
    step.previous = [OutputValue(value: nil, isSealed: true, sealedText: "1.c2VhbGVk")]
    step.file = FileValue(
      path: "files/0/7/body", name: "body", size: 77, modified: -1, contentType: "text/plain",
      digests: [.md5: "d41d8cd9", .sha256: "e3b0c442"])
    step.sources = [3, 1]
    step.movedTo = 512
    step.reservedBytes = 4096
    step.turn = 3
    step.isOver = true
    step.farthest = 8192
    step.batch = BatchMembership(
      first: 1, generation: 3, items: 2, failures: 1, begun: began + .seconds(2), isOpen: true,
      isPartial: true)
    return step
  }

  /// The state of a step whose parts are in progress: one of three is done, another has started.
  package static func parts(_ outputs: OutputValue..., done: [Int] = []) -> StepState {
    var step = full()
    step.outputs = outputs
    var parts = PartsState(count: 3, active: [1: [full(OutputValue(value: .string("e1")))]])
    for number in done { parts.conclude(number, collected(number)) }
    step.parts = parts
    return step
  }

  package static func collected(_ number: Int) -> [Value] {
    [.map(MapValue([("number", .int(Int64(number))), ("etag", .string("\"é\u{0}\""))]))]
  }

  /// The key of a part of an item of the first loop.
  package static func part(_ number: Int, of ordinal: Int, generation: Int = 3) -> ItemKey {
    ItemKey(loop: 0, ordinal: ordinal).part(number, of: 4, generation: generation)
  }

  /// An active item of the first loop without any first value.
  package static func activeItem(_ ordinal: Int) -> Item {
    Item(
      key: ItemKey(loop: 0, ordinal: ordinal), subject: subject(ordinal), status: .active,
      frame: [
        full(
          OutputValue(value: .string("u-\(ordinal)"), expires: began, staleFrom: began),
          OutputValue(value: .null)),
        full(), full(OutputValue(value: .string(secret), isSecret: true)), parts(),
      ],
      reason: Failure("gone", status: 404),
      abandoning: Item.AbandonProgress(index: 0, attempt: 2, next: .cancelled),
      remnants: [remnant], bytesMoved: 600, refusedBy: ["host-1-a"])
  }

  /// The effects that the item's first result left when it was replaced.
  private static var remnant: Remnant {
    var was = StepState()
    was.status = .succeeded
    was.generation = 2
    was.since = began
    was.outputs = [
      OutputValue(value: .string("u-0")), OutputValue(value: .string(secret), isSecret: true),
    ]
    return Remnant(compensation: 0, frame: [was, StepState(), StepState(), StepState()])
  }

  /// An item of the first loop with the status `status`, as in a store.
  package static func item(_ ordinal: Int, _ status: Item.Status) -> Item {
    Item(key: ItemKey(loop: 0, ordinal: ordinal), subject: subject(ordinal), status: status)
  }

  package static func subject(_ ordinal: Int) -> Item.Subject {
    .file(
      FileValue(
        path: "/photos/été 📷/\(ordinal).jpg", name: "\(ordinal).jpg", size: Int64(ordinal) * 1000,
        modified: 1_700_000_000_000_000_000 + Int64(ordinal), contentType: "image/jpeg"))
  }

  package static func files(_ count: Int) -> EnumeratedLoop {
    EnumeratedLoop(loop: 0) { yield in for ordinal in 0..<count { try yield(subject(ordinal)) } }
  }

  package static func values(_ subjects: [Item.Subject], loop: Int) -> EnumeratedLoop {
    EnumeratedLoop(loop: loop) { yield in for subject in subjects { try yield(subject) } }
  }

  /// The state with its secrets gone and its window empty, as a store returns it.
  package static func asStored(_ state: RunState) -> RunState {
    var state = state
    state.secrets = [:]
    state.allowance = .unlimited
    for index in state.frame.indices {
      state.frame[index].outputs = state.frame[index].outputs.map(\.redacted)
    }
    return state
  }

  package static func asStored(_ item: Item) -> Item {
    var item = item
    for index in item.frame.indices {
      item.frame[index].outputs = item.frame[index].outputs.map(\.redacted)
    }
    for index in item.remnants.indices {
      for position in item.remnants[index].positions {
        item.remnants[index].frame[position].outputs = item.remnants[index].frame[position].outputs
          .map(\.redacted)
      }
    }
    return item
  }

  package static func batch(
    epoch: Int, _ items: [Item] = [], parts: [PartChange] = [], events: [Event] = [],
    state: RunState? = nil, cancelledLoops: [Int] = [], claims: [TargetClaim] = [],
    isDurable: Bool = true
  ) -> CheckpointBatch {
    CheckpointBatch(
      epoch: epoch, at: began, events: events,
      checkpoint: Checkpoint(
        items: items, parts: parts, state: state, cancelledLoops: cancelledLoops, claims: claims,
        isDurable: isDurable))
  }

  /// The claim of an item of the first loop.
  package static func claim(_ ordinal: Int, _ target: UInt64, takes: Bool = true) -> TargetClaim {
    let key = ItemKey(loop: 0, ordinal: ordinal)
    let id = EffectID(run: state().id, item: key, step: 3, generation: 1, attempt: 1)
    return TargetClaim(id: id, target: target, takes: takes)
  }
}
