/// The changes of runs, for all pages that are open; it looks for changes only while there is one.
actor ChangeFeed {
  struct Change: Sendable {
    let number: Int
    /// `nil` if any run may have changed.
    let run: String?
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
      let newest = recent.last?.number ?? 0
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

  private func remove(_ listener: Int) {
    listeners[listener] = nil
    guard listeners.isEmpty else { return }
    watching?.cancel()
    watching = nil
  }

  private func watch() async {
    versions = await source.versions()
    while (try? await Task.sleep(for: interval)) != nil {
      let current = await source.versions()
      let runs = Set(current.keys).union(versions.keys)
      let changed = runs.filter { current[$0] != versions[$0] }
      versions = current
      for run in changed.sorted() {
        let change = Change(number: (recent.last?.number ?? 0) + 1, run: run)
        recent.append(change)
        for listener in listeners.values { listener.yield(change) }
      }
      recent.removeFirst(max(recent.count - Self.kept, 0))
    }
  }
}
