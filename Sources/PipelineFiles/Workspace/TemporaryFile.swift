import PipelineEngine
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file under a name that no expression can see, until it is published by rename.
struct TemporaryFile: ~Copyable {
  /// What temporary names begin with; an author's file names cannot, as they come from step and item names.
  static let prefix = ".partial-"
  private static let counter = Atomic<UInt64>(0)

  let name: String
  let descriptor: Int32
  private let folder: Int32
  private var isOpen = true
  private var isPublished = false

  /// Makes an empty file in `folder`, which must stay open as long as the file.
  init(in folder: Int32, shownAs path: String) throws(FileFailure) {
    self.folder = folder
    while true {
      let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
      let name = Self.prefix + String(getpid()) + "-" + String(number)
      let raw = retrying {
        openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
      if raw >= 0 {
        self.name = name
        descriptor = raw
        return
      }
      // A process before us had our number and was killed; its left-over is the sweep's work.
      guard errno == EEXIST else { throw FileFailure.system("cannot make", path, errno) }
    }
  }

  deinit {
    if isOpen { close(descriptor) }
    if !isPublished { unlinkat(folder, name, 0) }
  }

  /// Gives the file its name; what was there under that name is replaced.
  ///
  /// There is no `fsync`: a body file can be made again from its sources, and the sweep after a crash removes what the store
  /// does not know. A reader in this boot sees the file whole or not at all, as rename is atomic.
  mutating func publish(as name: String, shownAs path: String) throws(FileFailure) {
    isOpen = false
    guard close(descriptor) == 0 else { throw FileFailure.system("cannot write", path, errno) }
    guard renameat(folder, self.name, folder, name) == 0 else {
      throw FileFailure.system("cannot rename to", path, errno)
    }
    isPublished = true
  }
}
