import PipelineCore
import PipelineEngine

extension DownloadPlan {
  func checkLimit(_ size: Int64) throws(FileFailure) {
    guard size <= limit else {
      throw FileFailure(
        .reservationExceeded,
        message: "'\(name)' has \(size) bytes or more, above the limit of \(limit)")
    }
  }

  func wrongSize(_ size: Int64, _ planned: Int64) -> FileFailure {
    FileFailure(.mismatch, message: "'\(name)' has \(size) bytes, expected \(planned)")
  }
}
