import PipelineCore
import PipelineEngine
import Synchronization

/// A clock that stands still until a test moves it.
final class VirtualClock: PipelineEngine.Clock {
  private struct Sleeper {
    let id: Int
    let until: Instant
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Content {
    var now: Instant
    var sleepers: [Sleeper] = []
    var next = 0
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Those who wait for as many sleepers as there are now.
    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      let ready = watchers.filter { $0.count <= sleepers.count }.map(\.continuation)
      watchers.removeAll { $0.count <= sleepers.count }
      return ready
    }
  }

  private let content: Mutex<Content>

  init(start: Instant = Instant(milliseconds: 1_800_000_000_000)) {
    content = Mutex(Content(now: start))
  }

  func now() -> Instant { content.withLock { $0.now } }

  func sleep(until instant: Instant) async {
    let id = content.withLock { content in
      content.next += 1
      return content.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, watchers) = content.withLock { content in
          if content.now >= instant || content.cancelled.remove(id) != nil {
            return (true, [CheckedContinuation<Void, Never>]())
          }
          content.sleepers.append(Sleeper(id: id, until: instant, continuation: continuation))
          return (false, content.takeWatchers())
        }
        for watcher in watchers { watcher.resume() }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let sleeper = content.withLock { content -> Sleeper? in
        guard let index = content.sleepers.firstIndex(where: { $0.id == id }) else {
          content.cancelled.insert(id)
          return nil
        }
        return content.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume()
    }
  }

  /// Waits until at least `count` callers sleep.
  func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = content.withLock { content in
        if content.sleepers.count >= count { return true }
        content.watchers.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Moves time to the next wake-up; nothing happens when no task sleeps.
  func jump() {
    let woken = content.withLock { content -> [Sleeper] in
      guard let next = content.sleepers.map(\.until).min() else { return [] }
      content.now = max(content.now, next)
      let woken = content.sleepers.filter { $0.until <= content.now }
      content.sleepers.removeAll { $0.until <= content.now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}

/// Servers, transfers and files that answer at once or after virtual time, according to a script.
final class ScriptedWorld: RequestTransport, TransferService, FileWorkspace {
  /// What one exchange comes to.
  struct ScriptedResponse: Sendable {
    var status = 200
    var json = "{}"
    var headers: [Response.Header] = []
    /// Waits before the answer, until it returns or the request is stopped.
    var hold: (@Sendable () async -> Void)?
    var error: TransportFailure?
  }

  /// One exchange as the servers saw it.
  struct ScriptedExchange: Hashable, Sendable {
    let method: String
    let url: String
    let at: Instant
    let headers: [Response.Header]
  }

  private struct Content {
    var exchanges: [ScriptedExchange] = []
    var files: Set<String> = []
    var running = 0
    var mostRunning = 0
  }

  let sendsPieces: Bool
  private let clock: VirtualClock
  private let script: @Sendable (ScriptedExchange) async -> ScriptedResponse
  private let content = Mutex(Content())

  init(
    clock: VirtualClock, sendsPieces: Bool = false,
    script: @escaping @Sendable (ScriptedExchange) async -> ScriptedResponse
  ) {
    self.clock = clock
    self.sendsPieces = sendsPieces
    self.script = script
  }

  var exchanges: [ScriptedExchange] { content.withLock { $0.exchanges } }
  var files: Set<String> { content.withLock { $0.files } }
  var running: Int { content.withLock { $0.running } }
  var mostRunning: Int { content.withLock { $0.mostRunning } }

  func send(_ request: RenderedRequest) async -> Response {
    let sent = clock.now()
    let exchange = ScriptedExchange(
      method: request.method, url: request.url, at: sent, headers: request.headers)
    content.withLock { content in
      content.exchanges.append(exchange)
      content.running += 1
      content.mostRunning = max(content.mostRunning, content.running)
    }
    defer { content.withLock { $0.running -= 1 } }
    let response = await script(exchange)
    await response.hold?()
    let error =
      Task.isCancelled
      ? TransportFailure(.interrupted, message: "interrupted", mayHaveBeenSent: true)
      : response.error
    return Response(
      status: error == nil ? response.status : 0, headers: response.headers,
      body: Array(response.json.utf8),
      url: request.url, error: error, sent: sent, received: clock.now())
  }

  func upload(
    _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
    renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response {
    progress(body.size)
    return await transfer(request, renew)
  }

  /// Sends a transfer's request when it may start, and again with the reply to a challenge.
  private func transfer(_ first: RenderedRequest, _ renew: Renew) async -> Response {
    var request = first
    if let settings = first.transfer, let earliest = settings.earliest {
      await clock.sleep(until: earliest)
      if settings.renewals.contains(.begin), !Task.isCancelled {
        request = await renew(.begin).applied(to: request)
      }
    }
    while true {
      let response = await send(request)
      guard response.isChallenge, request.transfer?.renewals.contains(.challenge) == true else {
        return response
      }
      let renewal = await renew(.challenge)
      guard renewal != .unchanged else { return response }
      request = renewal.applied(to: request)
    }
  }

  func download(
    _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    let response = await transfer(request, renew)
    guard response.error == nil, (200..<300).contains(response.status) else { return response }
    try await sink.begin(Representation(size: Int64(response.body.count)))
    try await sink.append(response.body)
    progress(Int64(response.body.count))
    return response
  }

  func sink(for plan: DownloadPlan, at path: String) async throws(FileFailure) -> any FileSink {
    Sink(world: self, plan: plan, path: path)
  }

  /// Counts the bytes of a file and compares them with the plan.
  private final class Sink: FileSink {
    private let world: ScriptedWorld
    private let plan: DownloadPlan
    private let path: String
    private let size = Mutex<Int64>(0)

    init(world: ScriptedWorld, plan: DownloadPlan, path: String) {
      self.world = world
      self.plan = plan
      self.path = path
    }

    func begin(_ representation: Representation) async throws(FileFailure) {
      self.size.withLock { $0 = 0 }
    }

    func append(_ bytes: [UInt8]) async throws(FileFailure) {
      let sum = size.withLock { size in
        size += Int64(bytes.count)
        return size
      }
      guard sum <= plan.limit else {
        throw FileFailure(.reservationExceeded, message: "too large")
      }
    }

    func publish(contentType: String?) async throws(FileFailure) -> FileValue {
      let size = size.withLock { $0 }
      guard plan.size == nil || plan.size == size else {
        throw FileFailure(.mismatch, message: "'\(plan.name)' has another size")
      }
      world.content.withLock { _ = $0.files.insert(path) }
      return FileValue(path: path, name: plan.name, size: size, modified: 0)
    }

    func discard() async {}
  }

  func materialize(
    _ plan: MaterializationPlan, at path: String
  ) async throws(FileFailure) -> FileValue {
    if plan.unwritten == nil { content.withLock { _ = $0.files.insert(path) } }
    return FileValue(
      path: path, name: plan.name, size: plan.size, modified: clock.now().milliseconds * 1_000_000,
      contentType: plan.contentType)
  }

  func discard(_ path: String) async {
    content.withLock { _ = $0.files.remove(path) }
  }

  func sweep(keeping kept: Set<String>) async -> Int {
    content.withLock { content in
      let orphans = content.files.subtracting(kept)
      content.files.subtract(orphans)
      return orphans.count
    }
  }

  func absolutePath(of file: FileValue) -> String { "/run/" + file.path }
}
