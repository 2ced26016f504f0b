#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import PipelineCore

/// Standard streams, and what is known of the terminal behind them.
package enum Terminal {
  /// Writes a line to standard output; whatever is in it, it stays one line that only shows itself.
  package static func print(_ line: String) {
    send(line.visibleLine + "\n", to: STDOUT_FILENO)
  }

  /// Writes a line to standard error; whatever is in it, it stays one line that only shows itself.
  package static func error(_ line: String) {
    send(line.visibleLine + "\n", to: STDERR_FILENO)
  }

  /// Writes a text of several lines, in which nothing steers the terminal or the log it goes to.
  package static func write(_ text: String, to descriptor: Int32) {
    send(text.visible, to: descriptor)
  }

  /// Writes what is meant for the terminal or the build server itself, as it stands and whole; a reader that went away is
  /// not our failure.
  package static func send(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = systemWrite(
          descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        if count < 0 {
          if errno == EINTR || errno == EAGAIN { continue }
          return
        }
        offset += count
      }
    }
  }

  private static func systemWrite(
    _ descriptor: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, start, count)
    #else
      Darwin.write(descriptor, start, count)
    #endif
  }

  /// Whether a person watches standard error.
  package static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 && term != "dumb" }
  /// Whether a person can be asked.
  package static var canPrompt: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }
  /// Whether colours are wanted on standard error (https://no-color.org).
  package static var hasColor: Bool { isErrorInteractive && environment("NO_COLOR") == nil }

  private static var term: String? { environment("TERM") }

  /// The value of an environment variable; `nil` where it is unset or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Columns of the terminal behind standard error; 80 where there is none.
  package static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Asks for a line that is not shown while it is typed.
  package static func askSecret(_ question: String) -> String? {
    var attributes = termios()
    guard canPrompt, tcgetattr(STDIN_FILENO, &attributes) == 0 else { return nil }
    let before = attributes
    attributes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &attributes)
    var restored = before
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &restored)
      write("\n", to: STDERR_FILENO)
    }
    write(question, to: STDERR_FILENO)
    return readLine(strippingNewline: true)
  }
}
