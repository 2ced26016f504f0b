import Dispatch
import Foundation
import NIOPosix
import PipelineEngine
import PipelineFiles
import Synchronization

/// The cost of a small blocking read that a task hands to threads.
///
/// The same reads go through the engine's pool, a Dispatch queue of its own or on the threads of tasks (`shared`), and NIO's
/// pool; `direct` reads in the task itself.
enum PoolFigures {
  private static let threads = 4
  private static let rounds = 5
  private static let block = 4096
  private static let blocks = 256

  private enum Kind: String, CaseIterable {
    case direct, engine, shared, dispatch, nio
  }

  private typealias Work = @Sendable (CancellationFlag) throws(FileFailure) -> Int
  private typealias Runner = @Sendable (_ work: @escaping Work) async throws -> Int

  /// Prints the figures of the named way, or of all of them, each in turn.
  static func print(_ arguments: [String]) async throws {
    let names = Kind.allCases.map(\.rawValue)
    let kinds = arguments.first.flatMap(Kind.init(rawValue:)).map { [$0] } ?? Kind.allCases
    let numbers = arguments.filter { !names.contains($0) }.compactMap { Int($0) }
    let works = numbers.first ?? 100_000
    let tasks = numbers.dropFirst().first.map { [$0] } ?? [1, 8, 64]
    try await withTemporaryFolder { folder in
      let path = folder + "/file"
      try Data(repeating: 1, count: block * blocks).write(to: URL(filePath: path))
      let file = open(path, O_RDONLY)
      precondition(file >= 0, "the file that was just written can be opened")
      defer { close(file) }
      for tasks in tasks {
        // Each way gets its turn in every round, so that other work of the machine falls on all of them.
        var costs: [Kind: [Cost]] = [:]
        for _ in 0..<(kinds.count == 1 ? 1 : rounds) {
          for kind in kinds {
            costs[kind, default: []].append(
              try await cost(of: kind, works: works, tasks: tasks, file: file))
          }
        }
        for kind in kinds {
          Swift.print("\(kind), \(tasks) tasks: \(Cost.text(costs[kind] ?? [], works: works))")
        }
      }
    }
  }

  private static func cost(
    of kind: Kind, works: Int, tasks: Int, file: Int32
  ) async throws -> Cost {
    switch kind {
    case .direct:
      let flag = CancellationFlag()
      return try await cost(works, tasks, file) { work in try work(flag) }
    case .engine:
      let pool = BlockingPool(threads: threads)
      return try await cost(works, tasks, file) { work in try await pool.run(work) }
    case .shared, .dispatch:
      let queue = LimitedQueue(limit: threads, isShared: kind == .shared)
      return try await cost(works, tasks, file) { work in
        try await withFlag { flag in
          try await withCheckedContinuation { continuation in
            queue.add {
              continuation.resume(
                returning: Result { () throws(FileFailure) in try work(flag) })
            }
          }.get()
        }
      }
    case .nio:
      let pool = NIOThreadPool(numberOfThreads: threads)
      pool.start()
      let cost = try await cost(works, tasks, file) { work in
        try await withFlag { flag in try await pool.runIfActive { try work(flag) } }
      }
      try await pool.shutdownGracefully()
      return cost
    }
  }

  /// The requirement of a pool of another kind, too:
  /// work that runs must learn that its task was cancelled.
  private static func withFlag(
    _ body: (CancellationFlag) async throws -> Int
  ) async throws -> Int {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await body(flag)
    } onCancel: {
      flag.cancel()
    }
  }

  private static func cost(
    _ works: Int, _ tasks: Int, _ file: Int32, _ run: @escaping Runner
  ) async throws -> Cost {
    let begun = Cost.now()
    let read = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var read = 0
          for index in stride(from: task, to: works, by: tasks) {
            read += try await run { _ in
              withUnsafeTemporaryAllocation(byteCount: block, alignment: 16) { buffer in
                pread(file, buffer.baseAddress, block, index % blocks * block)
              }
            }
          }
          return read
        }
      }
      return try await group.reduce(0, +)
    }
    precondition(read == works * block, "every read was whole")
    return Cost.now() - begun
  }
}

/// Jobs on a concurrent queue, of which at most `limit` run at once; a thread that finds another job keeps running.
private final class LimitedQueue: Sendable {
  private typealias Job = @Sendable () -> Void

  private let queue: DispatchQueue
  private let state = Mutex<(jobs: [Job], head: Int, running: Int)>(([], 0, 0))
  private let limit: Int

  /// A shared queue runs its jobs on the threads of Swift's tasks, which waiting jobs then occupy.
  init(limit: Int, isShared: Bool) {
    self.limit = limit
    queue = DispatchQueue(
      label: "pool", qos: isShared ? .unspecified : .utility, attributes: .concurrent)
  }

  func add(_ job: @escaping @Sendable () -> Void) {
    let isNeeded = state.withLock { state in
      state.jobs.append(job)
      guard state.running < limit else { return false }
      state.running += 1
      return true
    }
    if isNeeded { queue.async { while let job = self.next() { job() } } }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard state.head < state.jobs.count else {
        state.running -= 1
        return nil
      }
      let job = state.jobs[state.head]
      state.head += 1
      if state.head == state.jobs.count || state.head >= 1024 {
        state.jobs.removeFirst(state.head)
        state.head = 0
      }
      return job
    }
  }
}

/// The resources that the process has used.
private struct Cost {
  var wall: Double
  var processor: Double
  var switches: Double

  static func now() -> Cost {
    var usage = rusage()
    // RUSAGE_SELF, which is an integer on one system and an enumeration on another.
    getrusage(0, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return Cost(
      wall: Double(DispatchTime.now().uptimeNanoseconds) / 1000,
      processor: times.reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) },
      switches: Double(usage.ru_nvcsw))
  }

  static func - (left: Cost, right: Cost) -> Cost {
    Cost(
      wall: left.wall - right.wall, processor: left.processor - right.processor,
      switches: left.switches - right.switches)
  }

  /// The medians per work.
  static func text(_ costs: [Cost], works: Int) -> String {
    func each(_ value: (Cost) -> Double) -> String {
      String(format: "%.2f", median(costs.map(value)) / Double(works))
    }
    return "\(each(\.wall)) µs, \(each(\.processor)) µs of a processor, "
      + "\(each(\.switches)) waits per work"
  }
}
