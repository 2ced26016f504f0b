import Synchronization

/// A file under a name that no expression can see, until it is published by rename.
struct TemporaryFile: ~Copyable {
  /// The prefix of temporary names; other file names cannot have it, as they come from step and item names.
  static let prefix = ".partial-"
  private static let counter = Atomic<UInt64>(0)
  let name: String
  let descriptor: Int32
  private let folder: Int32
  private var isOpen = true
  private var isPublished = false

  /// Creates an empty file in `folder`, which must stay open as long as the file.
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
      // An earlier process with the same id was killed; the sweep deletes its file.
      guard errno == EEXIST else { throw FileFailure.system("cannot create", path, errno) }
    }
  }

  deinit {
    if isOpen { close(descriptor) }
    if !isPublished { unlinkat(folder, name, 0) }
  }

  /// Sets the file's name, replacing a file of that name.
  ///
  /// There is no `fsync`: a body file can be remade from its sources, and the sweep after a crash deletes files that are
  /// missing in the store. Until a reboot, readers see the file completely or not at all, because rename is atomic.
  mutating func publish(as name: String, shownAs path: String) throws(FileFailure) {
    isOpen = false
    guard close(descriptor) == 0 else { throw FileFailure.system("cannot write", path, errno) }
    guard renameat(folder, self.name, folder, name) == 0
    else { throw FileFailure.system("cannot rename to", path, errno) }
    isPublished = true
  }
}
