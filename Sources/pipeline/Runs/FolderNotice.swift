import Dispatch

/// Tells when something is created in a folder.
final class FolderNotice: Sendable {
  /// Changed by nothing after it has begun, and safe to cancel from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol

  /// Calls `handler` soon after, on some thread; `nil` if the system does not tell, as when too many folders are watched.
  init?(_ folder: String, _ handler: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "pipeline.folder")
    #if os(Linux)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, folder, UInt32(IN_CREATE)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        // What was created is found out by looking.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
          while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
        handler()
      }
    #else
      let descriptor = open(folder, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: .write, queue: queue)
      source.setEventHandler(handler: handler)
    #endif
    source.setCancelHandler { close(descriptor) }
    self.source = source
    source.resume()
  }

  deinit { source.cancel() }
}
