import PipelineCore
import PipelineEngine
import Synchronization

/// What happens in a run, line by line, each with its time.
final class LogFile: Sendable {
  private let file: PrivateFile
  private let isDetailed: Bool
  /// Lines of one entry stay together.
  private let order = Mutex(())

  init(_ file: PrivateFile, isDetailed: Bool) {
    self.file = file
    self.isDetailed = isDetailed
    file.seekToEnd()
  }

  func write(_ exchange: Exchange) {
    write(
      isDetailed ? ExchangeText.details(exchange) : [ExchangeText.line(exchange)],
      at: exchange.began)
  }

  /// Writes lines with the time of what they tell of, or with the present.
  func write(_ lines: [String], at moment: Instant? = nil) {
    let stamp = ReportFormatting.timestamp(moment ?? .wallClock)
    let text = lines.map { "\(stamp)  \($0.visibleLine)\n" }.joined()
    order.withLock { _ in file.write(text) }
  }

  var complaint: String? { file.complaint }
}
