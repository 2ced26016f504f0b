import PipelineCommands
import PipelineCore

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
