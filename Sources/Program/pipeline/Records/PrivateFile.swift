/// A file that only its owner reads: servers' messages may be confidential even without secrets.
final class PrivateFile: Sendable {
  let path: String
  private let option: String
  private let descriptor: Int32
  /// Whether it is a file on a disk, which can be written anywhere and emptied.
  let isRegular: Bool
  private let failure = Mutex<String?>(nil)

  /// Opens or creates a file with mode 0600; one that exists gets this mode and keeps its content.
  init(_ path: String, for option: String) throws(CommandFailure) {
    (self.path, self.option) = (path, option)
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure.environment(
        "\(option): '\(path)' cannot be written: \(Self.reason(errno))")
    }
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isRegular, status.st_mode & 0o077 != 0 else { return }
    guard fchmod(descriptor, 0o600) == 0 else {
      let reason = Self.reason(errno)
      close(descriptor)
      throw CommandFailure.environment(
        "\(option): others may read '\(path)', and that cannot be changed: \(reason)")
    }
  }

  deinit { close(descriptor) }

  func empty() { _ = ftruncate(descriptor, 0) }
  func seekToEnd() { if isRegular { lseek(descriptor, 0, SEEK_END) } }

  /// Writes `text` at `offset` in bytes, or after the last; a failure is kept for ``complaint``, because no run ends for a log.
  func write(_ text: String, at offset: Int64? = nil) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let start = bytes.baseAddress.map { $0 + done }
        let count =
          offset.map { pwrite(descriptor, start, bytes.count - done, off_t($0) + off_t(done)) }
          ?? FileContents.systemWrite(descriptor, start, bytes.count - done)
        if count < 0 {
          if errno == EINTR { continue }
          let reason = Self.reason(errno)
          return failure.withLock { $0 = $0 ?? reason }
        }
        done += count
      }
    }
  }

  /// The message about failed writes; `nil` if none failed.
  var complaint: String? {
    failure.withLock { $0 }.map { "\(option): '\(path)' is not complete: \($0)" }
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// What happens in a run, line by line, each with its time.
final class LogFile: Sendable {
  private let file: PrivateFile
  private let isDetailed: Bool
  /// Lines of one entry stay together.
  private let order = Mutex(())

  init(_ file: PrivateFile, isDetailed: Bool) {
    (self.file, self.isDetailed) = (file, isDetailed)
    file.seekToEnd()
  }

  func write(_ exchange: Exchange) {
    write(
      isDetailed ? ExchangeText.details(exchange) : [ExchangeText.line(exchange)],
      at: exchange.began)
  }

  /// Writes lines with the time of their events, or with the current time.
  func write(_ lines: [String], at moment: Instant? = nil) {
    let stamp = ReportFormatting.timestamp(moment ?? .wallClock)
    let text = lines.map { "\(stamp)  \($0.visibleLine)\n" }.joined()
    order.withLock { _ in file.write(text) }
  }

  var complaint: String? { file.complaint }
}
