import Dispatch
import PipelineCommands
import PipelineCore

/// When a process that works on a run has to look for requests of others, and at its own limits: a run that waits wakes for nothing else.
final class RequestOccasions: Sendable {
  /// An element for each occasion, the first at once.
  let stream: AsyncStream<Void>
  private let notice: FolderNotice?
  private let timer: Task<Void, Never>?

  /// How often bytes are counted for `--max-transfer`, or the folder is read where the system does not tell.
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
      return "\(ReportFormatting.bytes(bytes)) are transferred, the limit of --max-transfer"
    }
    if let end, let time, ContinuousClock.now >= end {
      return "\(ReportFormatting.duration(time)) are over, the limit of --max-duration"
    }
    return nil
  }
}
