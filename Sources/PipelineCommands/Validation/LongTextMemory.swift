import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Memory for checking one long text, asked of the system at once.
///
/// glibc asks for it in small pieces: 10,060 lines took 4,700 page faults, and 800 `mprotect` of the second thread, each of which
/// keeps the other thread from its faults. A usual text needs too little for that to matter.
enum LongTextMemory {
  /// Bytes of text from which on it pays: those from which on a tree is built by two threads.
  static let threshold = 65_536

  #if canImport(Glibc)
    /// What one thread takes for each byte of text.
    private static let share = 24
    /// Larger pieces than 32 MiB never come from the heap.
    private static let maximum = 24 << 20
    /// The unit in which the kernel hands out huge pages.
    private static let hugePage = 2 << 20

    private static let isDone = Atomic(false)
  #endif

  /// Makes room for the check of a text of so many bytes, by this thread and one that helps it; once in a process.
  static func reserve(bytes: Int) {
    #if canImport(Glibc)
      guard bytes >= threshold, !isDone.exchange(true, ordering: .relaxed) else { return }
      let size = min(bytes * share, maximum)
      // Once a large piece was freed, glibc takes smaller ones from the heap and keeps what is free there; see mallopt(3).
      reserveHere(size + hugePage)
      // Each thread has memory of its own.
      DispatchQueue.global().async { reserveHere(size) }
      reserveHere(size)
    #endif
  }

  #if canImport(Glibc)
    private static func reserveHere(_ size: Int) {
      guard let start = malloc(size) else { return }
      let first = (UInt(bitPattern: start) + UInt(hugePage) - 1) / UInt(hugePage) * UInt(hugePage)
      let end = (UInt(bitPattern: start) + UInt(size)) / UInt(hugePage) * UInt(hugePage)
      if first < end {
        // A system without huge pages says no, and then all is as it was.
        madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE)
      }
      free(start)
    }
  #endif
}
