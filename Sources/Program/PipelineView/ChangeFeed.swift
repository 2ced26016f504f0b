/// The changes of runs, for all pages that are open; it looks for changes only while there is one.
actor ChangeFeed {
  struct Change: Sendable {
    let number: Int
    /// `nil` if any run may have changed.
    let run: String?
    /// Whether nothing has changed for a while.
    var isPulse = false
  }

  private let source: any PageSource
  private let interval: Duration
  private var versions: [String: String] = [:]
  private var listeners: [Int: AsyncStream<Change>.Continuation] = [:]
  private var listenerCount = 0
  /// The last changes, for pages whose connection was interrupted.
  private var recent: [Change] = []
  private var watching: Task<Void, Never>?
  private static let kept = 1000
  /// After how many intervals a page hears that the connection still exists.
  private static let pulse = 30
  /// Maximum number of changes that wait for a page that reads slowly; it then hears that any run may have changed.
  private static let longestQueue = 64

  init(_ source: any PageSource, interval: Duration) {
    (self.source, self.interval) = (source, interval)
  }

  /// The changes from now on, or those after the number `last`, which a page has seen.
  func changes(after last: Int?) -> AsyncStream<Change> {
    listenerCount += 1
    let listener = listenerCount
    let (stream, continuation) = AsyncStream<Change>.makeStream(
      bufferingPolicy: .bufferingNewest(Self.longestQueue))
    listeners[listener] = continuation
    continuation.onTermination = { _ in Task { await self.remove(listener) } }
    if let last {
      let isKnown = last <= newest && last >= (recent.first?.number ?? 1) - 1
      if isKnown {
        for change in recent where change.number > last { continuation.yield(change) }
      } else {
        continuation.yield(Change(number: newest, run: nil))
      }
    }
    if watching == nil { watching = Task { await self.watch() } }
    return stream
  }

  private var newest: Int { recent.last?.number ?? 0 }

  private func send(_ change: Change) {
    for listener in listeners.values {
      guard case .dropped = listener.yield(change) else { continue }
      listener.yield(Change(number: change.number, run: nil))
    }
  }

  private func remove(_ listener: Int) {
    listeners[listener] = nil
    guard listeners.isEmpty else { return }
    watching?.cancel()
    watching = nil
  }

  private func watch() async {
    versions = await source.versions()
    var quiet = 0
    while (try? await Task.sleep(for: interval)) != nil {
      quiet += 1
      if quiet % Self.pulse == 0 { send(Change(number: newest, run: nil, isPulse: true)) }
      let current = await source.versions()
      let runs = Set(current.keys).union(versions.keys)
      let changed = runs.filter { current[$0] != versions[$0] }
      versions = current
      for run in changed.sorted() {
        recent.append(Change(number: newest + 1, run: run))
        send(recent[recent.count - 1])
      }
      recent.removeFirst(max(recent.count - Self.kept, 0))
    }
  }
}
