import Dispatch
import Synchronization

/// Builds the tree of a long text while its events are still being read.
///
/// A second thread helps to build. If it comes late, or never, the reading thread builds the queued events, so nothing
/// waits for a thread that the machine does not have.
final class TreeAssembly: Sendable {
  /// The text size in bytes from which a second thread pays off.
  static let threshold = 65_536

  /// The number of events per batch; each batch wakes a thread.
  private static let batchSize = 512
  /// The maximum number of queued batches.
  ///
  /// Reading ahead is wasted if an issue ends the parse, and libyaml is slow in nesting deeper than the builder accepts.
  private static let backlog = 4

  private struct Inbox {
    var batches: [[YAMLEvent]] = []
    var isComplete = false
  }

  private struct Building {
    var builder: TreeBuilder
    var failure: ParseFailure?
  }

  private let inbox = Mutex(Inbox())
  private let arrival = DispatchSemaphore(value: 0)
  private let building: Mutex<Building>
  /// Whether the rest of the stream can be ignored.
  private let isOver = Atomic(false)

  /// The root and the issues of a text; no root if an issue ended the parse.
  static func build(
    _ source: SourceText, limits: YAMLLimits
  ) -> (root: YAMLNode?, issues: [YAMLIssue]) {
    let assembly = TreeAssembly(TreeBuilder(source, limits: limits))
    // The queue that `concurrentPerform` uses too, because every queue has its own threads, and every thread its own memory.
    DispatchQueue.global().async { assembly.help() }
    var batch: [YAMLEvent] = []
    batch.reserveCapacity(batchSize)
    var failure: ParseFailure?
    do throws(ParseFailure) {
      try EventReader.read(source, limits: limits) { event throws(ParseFailure) in
        batch.append(event)
        guard batch.count == batchSize else { return true }
        assembly.add(batch)
        batch = []
        batch.reserveCapacity(batchSize)
        return !assembly.isOver.load(ordering: .relaxed)
      }
    } catch {
      failure = error
    }
    assembly.add(batch)
    return assembly.finish(endedBy: failure)
  }

  private init(_ builder: TreeBuilder) { building = Mutex(Building(builder: builder)) }

  private func add(_ batch: [YAMLEvent]) {
    let count = inbox.withLock { inbox in
      inbox.batches.append(batch)
      return inbox.batches.count
    }
    if count < Self.backlog { arrival.signal() } else { drain() }
  }

  private func finish(endedBy failure: ParseFailure?) -> (root: YAMLNode?, issues: [YAMLIssue]) {
    inbox.withLock { $0.isComplete = true }
    arrival.signal()
    drain()
    let isOver = isOver.load(ordering: .relaxed)
    return building.withLock { building in
      let builder = building.builder
      guard let failure = building.failure ?? (isOver ? nil : failure) else {
        return (builder.root, builder.issues(endedBy: nil))
      }
      return (nil, builder.issues(endedBy: failure.issue))
    }
  }

  private func help() {
    while !inbox.withLock({ $0.isComplete }) {
      arrival.wait()
      drain()
    }
  }

  /// Builds the queued events; one thread at a time, so that events keep their order.
  private func drain() {
    building.withLock { building in
      while let batch = take() {
        guard !isOver.load(ordering: .relaxed) else { continue }
        do throws(ParseFailure) {
          for event in batch where try !building.builder.receive(event) {
            isOver.store(true, ordering: .relaxed)
            break
          }
        } catch {
          building.failure = error
          isOver.store(true, ordering: .relaxed)
        }
      }
    }
  }

  private func take() -> [YAMLEvent]? {
    inbox.withLock { $0.batches.isEmpty ? nil : $0.batches.removeFirst() }
  }
}
