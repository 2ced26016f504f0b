import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Memory for checking one long text, requested from the system at once.
///
/// glibc requests it in small pieces: 10,060 lines took 4,700 page faults, and 800 `mprotect` calls of the second thread,
/// each of which blocks the other thread's faults. A typical text needs too little for that to matter.
enum LongTextMemory {
  /// The text size in bytes from which this pays off: the size from which two threads build the tree.
  static let threshold = 65_536

  #if canImport(Glibc)
    /// Bytes that one thread needs for each byte of text.
    private static let share = 24
    /// Blocks larger than 32 MiB never come from the heap.
    private static let maximum = 24 << 20
    /// The unit in which the kernel hands out huge pages.
    private static let hugePage = 2 << 20

    private static let isDone = Atomic(false)
  #endif

  /// Makes room for checking a text of this size, by this thread and one helper; once per process.
  static func reserve(bytes: Int) {
    #if canImport(Glibc)
      guard bytes >= threshold, !isDone.exchange(true, ordering: .relaxed) else { return }
      let size = min(bytes * share, maximum)
      // After a large block was freed, glibc serves smaller ones from the heap and keeps free memory there; see mallopt(3).
      reserveHere(size + hugePage)
      // Each thread has a heap of its own.
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
        // A system without huge pages refuses, which changes nothing.
        madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_HUGEPAGE)
      }
      free(start)
    }
  #endif
}
