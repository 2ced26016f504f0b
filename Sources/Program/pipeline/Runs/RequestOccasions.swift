import Dispatch

/// When a process that works on a run has to look for requests of others, and at its own limits: a run that waits wakes for nothing else.
final class RequestOccasions: Sendable {
  /// An element for each occasion, the first at once.
  let stream: AsyncStream<Void>
  private let notice: FolderNotice?
  private let timer: Task<Void, Never>?
  /// How often bytes are counted for `--max-transfer`, or the folder is read where the system does not notify.
  private static let interval: Duration = .milliseconds(100)

  init(_ folder: RunFolder, _ stop: StopLimits) {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    // Before the first look, so that no request comes between.
    notice = FolderNotice(folder.path) { continuation.yield() }
    continuation.yield()
    if stop.bytes != nil || notice == nil {
      timer = Task {
        while (try? await Task.sleep(for: Self.interval)) != nil { continuation.yield() }
      }
    } else if let end = stop.end {
      timer = Task {
        if (try? await Task.sleep(until: end, clock: .continuous)) != nil { continuation.yield() }
      }
    } else {
      timer = nil
    }
  }

  deinit { timer?.cancel() }
}

/// When this process has done enough: `--max-transfer` and `--max-duration`.
struct StopLimits {
  let bytes: Int64?
  private let time: Duration?
  let end: ContinuousClock.Instant?
  private let progress: MeasuredProgress

  init(bytes: Int64?, time: Duration?, progress: MeasuredProgress) {
    (self.bytes, self.time, self.progress) = (bytes, time, progress)
    end = time.map { ContinuousClock.now + $0 }
  }

  /// The reason to pause the run; `nil` if there is none yet.
  var reached: String? {
    if let bytes, progress.moved >= bytes {
      return "\(ReportFormatting.bytes(bytes)) have been transferred, the limit of --max-transfer"
    }
    if let end, let time, ContinuousClock.now >= end {
      return "\(ReportFormatting.duration(time)) have passed, the limit of --max-duration"
    }
    return nil
  }
}

/// Notifies when something is created in a folder.
final class FolderNotice: Sendable {
  /// Never changed after it has started, and safe to cancel from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol

  /// Calls `handler` soon after, on some thread; `nil` if the system does not notify,
  /// as when too many folders are watched.
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
        // The folder is read to find the new entry.
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
