import Synchronization

/// A server's actions, request by request, for a test to compare with its client's view.
///
/// An entry is written before its response is sent, and before a connection is reset after a commit.
package final class RequestJournal: Sendable {
  fileprivate struct State {
    var retained: [JournalEntry] = []
    var sequence = 0
    var events: [JournalEntry.Event: Int] = [:]
    var finalizeCounts: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let retention: DemoServer.JournalRetention
  private let file: JournalFile?

  init(retention: DemoServer.JournalRetention, file: JournalFile?) {
    (self.retention, self.file) = (retention, file)
  }

  func record(_ entry: JournalEntry) {
    let numbered = state.withLock { state in
      state.sequence += 1
      var entry = entry
      entry.sequence = state.sequence
      state.events[entry.event, default: 0] += 1
      state.retain(entry, retention)
      return entry
    }
    // Outside the lock: a line is one appending write, which the system keeps in one piece.
    file?.append(numbered.line)
  }
  package var entries: [JournalEntry] {
    state.withLock { state in
      guard case .latest(let limit) = retention else { return state.retained }
      return Array(state.retained.suffix(max(0, limit)))
    }
  }

  /// The number of requests so far, stored or not.
  package var requestCount: Int { state.withLock { $0.sequence } }

  /// The number of requests with this outcome so far.
  package func count(of event: JournalEntry.Event) -> Int {
    state.withLock { $0.events[event] ?? 0 }
  }

  /// How many times uploads named `name` were finalized, 1 in the best case; nil if only counters are kept.
  package func finalizedCount(name: String) -> Int? {
    if case .countersOnly = retention { return nil }
    return state.withLock { $0.finalizeCounts[name] ?? 0 }
  }
}

extension RequestJournal.State {
  fileprivate mutating func retain(
    _ entry: JournalEntry, _ retention: DemoServer.JournalRetention
  ) {
    if case .countersOnly = retention { return }
    if entry.event == .finalize || entry.event == .duplicateFinalize, let name = entry.fileName {
      finalizeCounts[name, default: 0] += 1
    }
    retained.append(entry)
    // It may hold twice the limit, so that the front is cut rarely and in bulk.
    if case .latest(let limit) = retention, retained.count > 2 * max(limit, 1) {
      retained.removeFirst(retained.count - limit)
    }
  }
}
