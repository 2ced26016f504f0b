import PipelineCommands
import Synchronization

/// Notices that something in some folders may have changed.
///
/// What has changed is not asked: a scan finds that out, so an overflowing queue of events is an event like any other, and a
/// file system without events (NFS, another machine's changes) only makes scans later.
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
    let problem: String? = "this system does not tell"

    func add(_ folder: String) {}

    func hasNews() -> Bool { false }
  #endif
}
