import CEL
import PipelineConformance
import PipelineCore
import PipelineEngine
import Testing

/// A mistake that somebody could make who writes a store; its text is the check that must find it.
enum StoreMistake: String, CaseIterable, CustomTestStringConvertible {
  case inventsRun = "a store without a run reports that"
  case storesHalfAnEnumeration = "a failed enumeration does not leave a run"
  case rewordsFailures = "a store's failure inside an enumeration comes out as it is"
  case createsAgain = "a run is never created over another"
  case storesSecrets = "a new run comes back as it was, without its secrets"
  case reusesEpochs = "each claim is greater than all before it"
  case forgetsTheFence = "a stale owner changes nothing"
  case losesAField = "each field of the run and of an active item comes back"
  case cutsReasonsShort = "words of a server with NUL are stored like any others"
  case losesTheSecondItem = "an item that leaves the window is not loaded"
  case forgetsParts = "values collected from parts are restored until the parts start over or end"
  case turnsNullIntoText = "a subject of each type comes back"
  case forgetsClaims = "a target belongs to the item that claims it first, in each process"
  case storesItemByItem = "a batch is stored whole or not at all"
  case listsBackwards = "items are listed by status in order"
  case repeatsTheLastOfAPage = "pages follow each other without gap or repetition"
  case mixesLoops = "loops do not see each other's items"
  case appendsEnumerations = "a second enumeration replaces the first"
  case cancelsPausedItems = "cancelling a loop changes only its pending items"
  case requeuesPausedAlone = "requeuing all includes paused and failed items"
  case requeuesEverything = "requeuing some leaves the others"
  case losesResultsOnRequeue = "a requeued item keeps its valid results"
  case forgetsRequeues = "a requeue that no batch has reported is counted by the next owner"
  case losesTheSecondEvent = "the history has every batch with events, in order"
  case tellsSecrets = "the history contains no secret"

  var testDescription: String { "\(self)" }
}

/// A store in memory that makes one mistake.
actor BrokenStore: CheckpointStore {
  private let mistake: StoreMistake
  private let pipeline: Pipeline
  private var base: InMemoryCheckpointStore
  private var epoch = 0
  private var secrets: [String: Value] = [:]
  private var counts: [ItemCounts]?
  private var told = ""

  init(_ mistake: StoreMistake, _ pipeline: Pipeline) {
    self.mistake = mistake
    self.pipeline = pipeline
    base = InMemoryCheckpointStore(pipeline)
  }

  func claim() async throws(StoreFailure) -> Int {
    if mistake == .reusesEpochs, epoch > 0 { return epoch }
    epoch = try await base.claim()
    return epoch
  }

  // MARK: The run

  func create(_ state: RunState, items: [EnumeratedLoop]) async throws(StoreFailure) -> RunState {
    switch mistake {
    case .createsAgain:
      base = InMemoryCheckpointStore(pipeline)
      epoch = try await base.claim()
    case .storesHalfAnEnumeration:
      let halves = items.map { loop in
        EnumeratedLoop(loop: loop.loop) { yield in try? loop.enumerate(yield) }
      }
      _ = try await base.create(state, items: halves)
    case .rewordsFailures:
      do throws(StoreFailure) {
        return try await base.create(state, items: items)
      } catch {
        throw StoreFailure(.enumeration, message: "the items: \(error.message)")
      }
    default: break
    }
    secrets = state.secrets
    return try await base.create(state, items: items)
  }

  func load() async throws(StoreFailure) -> RunState {
    if mistake == .inventsRun, let state = try? await base.load() { return state }
    if mistake == .inventsRun { return Sample.state() }
    var state = try await base.load()
    switch mistake {
    case .storesSecrets: state.secrets = secrets
    // As a store does whose texts end where a C string does.
    case .cutsReasonsShort:
      state.reason = state.reason.map { Failure(String($0.message.prefix(3))) }
    case .losesAField:
      for loop in state.loops.indices {
        for key in state.loops[loop].active.keys {
          state.loops[loop].active[key]?.abandoning = nil
        }
      }
    case .forgetsRequeues:
      for (loop, counts) in (counts ?? []).enumerated() { state.loops[loop].counts = counts }
    default: break
    }
    return state
  }

  func commit(_ batch: CheckpointBatch) async throws(StoreFailure) -> [TargetClaim.Refusal] {
    var refusals: [TargetClaim.Refusal] = []
    if let state = batch.state { counts = state.loops.map(\.counts) }
    told = batch.events.isEmpty ? "" : Sample.secret
    switch mistake {
    case .forgetsClaims: try await base.commit(batch.with(claims: []))
    case .forgetsTheFence: try await base.commit(batch.with(epoch: epoch))
    case .losesTheSecondItem: try await base.commit(batch.with(items: batch.items.prefix(1)))
    case .forgetsParts: try await base.commit(batch.with(parts: []))
    case .losesTheSecondEvent: try await base.commit(batch.with(events: batch.events.prefix(1)))
    case .storesItemByItem:
      for item in batch.items {
        try await base.commit(batch.with(items: [item], events: []))
      }
      try await base.commit(batch.with(items: []))
    case .cancelsPausedItems:
      try await base.commit(batch)
      for loop in batch.cancelledLoops {
        let paused = try await base.items(loop: loop, status: .paused, after: -1, limit: .max)
        let cancelled = paused.map { item in
          var item = item
          item.status = .cancelled
          return item
        }
        try await base.commit(batch.with(items: cancelled[...], events: []))
      }
    default: refusals = try await base.commit(batch)
    }
    return refusals
  }

  // MARK: Items

  func enumerate(loop: Int, subjects: [Item.Subject], epoch: Int) async throws(StoreFailure) {
    var subjects = subjects
    if mistake == .appendsEnumerations {
      let before = try await base.items(loop: loop, status: nil, after: -1, limit: .max)
      subjects = before.map(\.subject) + subjects
    }
    try await base.enumerate(loop: loop, subjects: subjects, epoch: epoch)
  }

  func items(
    loop: Int, status: Item.Status?, after: Int, limit: Int
  ) async throws(StoreFailure) -> [Item] {
    let found = try await base.items(
      loop: mistake == .mixesLoops ? 0 : loop, status: status,
      after: mistake == .repeatsTheLastOfAPage ? after - 1 : after, limit: limit)
    switch mistake {
    case .listsBackwards: return found.reversed()
    case .turnsNullIntoText:
      return found.map { item in
        item.subject == .value(.null)
          ? Item(key: item.key, subject: .value(.string("null")), status: item.status) : item
      }
    default: return found
    }
  }

  func item(_ key: ItemKey) async throws(StoreFailure) -> Item? { try await base.item(key) }

  func requeue(
    _ keys: [ItemKey]?, epoch: Int
  ) async throws(StoreFailure) -> [(loop: Int, paused: Int, failed: Int)] {
    switch mistake {
    case .requeuesEverything: return try await base.requeue(nil, epoch: epoch)
    case .requeuesPausedAlone where keys == nil:
      let paused = try await base.items(loop: 0, status: .paused, after: -1, limit: .max)
      return try await base.requeue(paused.map(\.key), epoch: epoch)
    case .losesResultsOnRequeue:
      let changed = try await base.requeue(keys, epoch: epoch)
      let pending = try await base.items(loop: 0, status: .pending, after: -1, limit: .max)
      let emptied = pending.map { Item(key: $0.key, subject: $0.subject, status: .pending) }
      let batch = CheckpointBatch(
        epoch: epoch, at: Sample.began, events: [],
        checkpoint: Checkpoint(items: emptied, isDurable: true))
      try await base.commit(batch)
      return changed
    default: return try await base.requeue(keys, epoch: epoch)
    }
  }

  func history(after sequence: Int, limit: Int) async throws(StoreFailure) -> [HistoryBatch] {
    let batches = try await base.history(after: sequence, limit: limit)
    guard mistake == .tellsSecrets else { return batches }
    return batches.map {
      HistoryBatch(sequence: $0.sequence, at: $0.at, events: $0.events + Array(told.utf8))
    }
  }

  func close() async {}
}

extension CheckpointBatch {
  /// The batch with something else in it.
  fileprivate func with(
    epoch: Int? = nil, items: ArraySlice<Item>? = nil, parts: [PartChange]? = nil,
    events: ArraySlice<Event>? = nil, claims: [TargetClaim]? = nil
  ) -> CheckpointBatch {
    var checkpoint = checkpoint
    if let items { checkpoint.items = Array(items) }
    if let parts { checkpoint.parts = parts }
    if let claims { checkpoint.claims = claims }
    return CheckpointBatch(
      epoch: epoch ?? self.epoch, at: at, events: events.map(Array.init) ?? self.events,
      checkpoint: checkpoint)
  }
}
