import Synchronization

/// A few threads for calls that block, since Swift's cooperative pool has one thread per core: a read that waits for a disk would occupy one of them.
public final class BlockingPool: Sendable {
  private let queue: JobQueue

  /// Creates a pool; its threads start at once and end when the pool is released and its jobs are done.
  public init(threads: Int = 4) {
    let queue = JobQueue()
    self.queue = queue
    for _ in 0..<max(1, threads) { Self.startThread(draining: queue) }
  }

  deinit { queue.close() }

  /// Runs `body` on one of the pool's threads.
  public func run<Result: Sendable>(
    _ body: @escaping @Sendable (CancellationFlag) throws(FileFailure) -> Result
  ) async throws(FileFailure) -> Result {
    let flag = CancellationFlag()
    let queue = queue
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.add {
          continuation.resume(
            returning: Swift.Result { () throws(FileFailure) -> Result in
              try flag.check()
              return try body(flag)
            })
        }
      }
    } onCancel: {
      flag.cancel()
    }
    return try result.get()
  }

  private static func startThread(draining queue: JobQueue) {
    let argument = Unmanaged.passRetained(queue)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let status = pthread_create(&thread, nil, drain, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
    queue.threadDidStart()
  }
}

#if canImport(Glibc)
  private func drain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().drain() }
    return nil
  }
#else
  private func drain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().drain()
    return nil
  }
#endif

/// With one thread, a pool runs the tasks of an engine one at a time, and they pass work on without waking another thread.
extension BlockingPool: TaskExecutor {
  /// Adds a job of a task.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.add { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// Informs blocking work that its task was cancelled.
public final class CancellationFlag: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// A flag that is not set.
  public init() {}
  /// Whether the task was cancelled.
  public var isCancelled: Bool { isSet.load(ordering: .relaxed) }
  /// Sets the flag permanently.
  public func cancel() { isSet.store(true, ordering: .relaxed) }

  /// Throws ``FileFailure/Kind/interrupted`` if the flag is set.
  public func check() throws(FileFailure) {
    guard !isCancelled else { throw FileFailure(.interrupted, message: "interrupted") }
  }
}
