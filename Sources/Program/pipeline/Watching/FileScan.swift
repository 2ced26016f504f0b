import PipelineSQLite

/// Looks for files that no run of a series has claimed yet and that are whole.
struct FileScan {
  /// A file is whole if its size, its time and its number stay the same for this long.
  static let settling: Duration = .seconds(2)
  private let sources: [(input: String, sources: FileSources)]
  private var taken: Set<PathFingerprint> = []
  private var waiting: [String: Candidate] = [:]

  /// A file that was seen, and since when it is as it is.
  private struct Candidate {
    let file: SeriesStore.File
    let since: ContinuousClock.Instant
  }

  init(_ sources: [String: FileSources], _ store: SeriesStore) throws {
    self.sources = sources.sorted { $0.key < $1.key }.map { (input: $0.key, sources: $0.value) }
    var taken: Set<PathFingerprint> = []
    try store.enumerate { taken.insert(PathFingerprint($0)) }
    self.taken = taken
  }

  var takenCount: Int { taken.count }
  /// When the next file may be whole; `nil` if none is waited for.
  var due: ContinuousClock.Instant? { waiting.values.map { $0.since + Self.settling }.min() }

  /// Reads the folders, each after `entering` it, and returns the files that are whole now, by their paths.
  mutating func look(
    at now: ContinuousClock.Instant, entering: @escaping @Sendable (String) -> Void
  ) throws -> [String: SeriesStore.File] {
    let found = Locked<[String: Candidate]>([:])
    let (before, taken) = (waiting, taken)
    for (input, sources) in sources {
      var sources = sources
      sources.selection = .init(
        takes: { value in
          guard let file = SeriesStore.File(value), !taken.contains(PathFingerprint(file)) else {
            return false
          }
          let known = before[file.path].flatMap { $0.file == file ? $0 : nil }
          found.withLock { $0[file.path] = known ?? Candidate(file: file, since: now) }
          return false
        }, entering: entering)
      _ = try sources.enumerate(of: input) { _ in }
    }
    waiting = found.withLock { $0 }
    return waiting.compactMapValues { now - $0.since >= Self.settling ? $0.file : nil }
  }

  mutating func took(_ files: [String: SeriesStore.File]) {
    for file in files.values {
      taken.insert(PathFingerprint(file))
      waiting[file.path] = nil
    }
  }
}

extension SeriesStore.File {
  /// The file with its number; `nil` if it is gone, or another size shows that it has changed since it was enumerated.
  ///
  /// What cannot be read has no number.
  init?(_ value: FileValue) {
    guard value.problem == nil else {
      self.init(path: value.path, size: value.size, modified: value.modified, inode: 0)
      return
    }
    var raw = stat()
    guard stat(value.path, &raw) == 0, Int64(raw.st_size) == value.size else { return nil }
    self.init(
      path: value.path, size: value.size, modified: value.modified, inode: UInt64(raw.st_ino))
  }
}

/// Notices that something in some folders may have changed; a scan finds out what, so an overflowing queue is an event like any other.
final class FolderWatch: Sendable {
  #if os(Linux)
    private static let events = UInt32(
      IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_TO | IN_DELETE_SELF
        | IN_MOVE_SELF)

    private let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    private let known = Mutex(Known())

    private struct Known {
      /// The kernel's numbers of the folders: a folder that is watched again has the number that it had.
      var numbers: Set<Int32> = []
      var problem: String?
    }

    deinit { if queue >= 0 { close(queue) } }

    var count: Int { known.withLock { $0.numbers.count } }
    /// Why some folder is not watched, if one is not.
    var problem: String? { known.withLock { $0.problem } }

    func add(_ folder: String) {
      let number = queue < 0 ? -1 : inotify_add_watch(queue, folder, Self.events)
      let code = errno
      known.withLock { known in
        if number >= 0 {
          known.numbers.insert(number)
        } else if code != ENOENT, code != ENOTDIR {
          known.problem = FileContents.reason(code)
        }
      }
    }

    /// Whether something may have changed since the last call.
    func hasNews() -> Bool {
      guard queue >= 0 else { return false }
      var isNews = false
      withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
        while let base = buffer.baseAddress, read(queue, base, buffer.count) > 0 { isNews = true }
      }
      return isNews
    }
  #else
    var count: Int { 0 }
    /// Why no folder is watched.
    let problem: String? = "this system does not report it"

    func add(_ folder: String) {}
    func hasNews() -> Bool { false }
  #endif
}
