import Foundation

/// Seconds that a thread has worked; a wall clock would count other processes too.
public enum ProcessorTime {
  /// Seconds that this thread works on `work`.
  public static func ofThread(_ work: () -> Void) -> Double {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
  }

  /// Seconds that all threads of this process have worked so far.
  public static func ofProcess() -> Double { now(CLOCK_PROCESS_CPUTIME_ID) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
