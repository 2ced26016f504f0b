import Foundation

/// Seconds that a thread has worked; a wall clock would count what other processes do too.
public enum ProcessorTime {
  /// Seconds that this thread works on `work`.
  public static func ofThread(_ work: () -> Void) -> Double {
    let start = now()
    work()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
