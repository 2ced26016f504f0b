/// Jobs in order of arrival, for threads that wait on a condition (`@unchecked`: all mutable state is used under `mutex` only).
final class JobQueue: @unchecked Sendable {
  typealias Job = @Sendable () -> Void
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [Job?] = []
  private var head = 0
  private var isClosed = false
  private var threads = 0

  init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// If not a single thread could be started, the caller runs the job: slow is better than never.
  func add(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    let hasThreads = threads > 0
    if hasThreads { jobs.append(job) }
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
    if !hasThreads { job() }
  }

  func threadDidStart() {
    pthread_mutex_lock(mutex)
    threads += 1
    pthread_mutex_unlock(mutex)
  }

  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  func drain() { while let job = next() { job() } }

  private func next() -> Job? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while head == jobs.count {
      if isClosed { return nil }
      pthread_cond_wait(condition, mutex)
    }
    let job = jobs[head]
    jobs[head] = nil
    head += 1
    // Used slots are released in bulk, so that removal stays O(1) on average.
    if head == jobs.count || head >= 1024 {
      jobs.removeFirst(head)
      head = 0
    }
    return job
  }
}
