package enum Terminal {
  /// Writes a line to standard output; control characters are escaped, so it stays one harmless line.
  package static func print(_ line: String) { send(line.visibleLine + "\n", to: STDOUT_FILENO) }
  /// Writes a line to standard error; control characters are escaped, so it stays one harmless line.
  package static func error(_ line: String) { send(line.visibleLine + "\n", to: STDERR_FILENO) }

  /// Writes text of several lines; control characters are escaped, so it cannot steer a terminal or a log.
  package static func write(_ text: String, to descriptor: Int32) {
    send(text.visible, to: descriptor)
  }

  /// Writes all of `text` as is, for the terminal or the build server itself; a reader that has gone away is not a failure.
  package static func send(_ text: String, to descriptor: Int32) {
    _ = FileContents.write(text, to: descriptor)
  }

  /// Whether standard error is a terminal that the user can watch.
  package static var isErrorInteractive: Bool { isatty(STDERR_FILENO) == 1 && term != "dumb" }
  package static var canPrompt: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }
  static var term: String? { environment("TERM") }

  /// The value of an environment variable; `nil` if it is unset or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The width in columns of the terminal on standard error; 80 if there is none.
  package static var columns: Int { size(\.ws_col) ?? 80 }
  /// The height in rows of the terminal on standard error; 24 if there is none.
  package static var rows: Int { size(\.ws_row) ?? 24 }

  private static func size(_ part: KeyPath<winsize, UInt16>) -> Int? {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size[keyPath: part] > 0 else {
      return nil
    }
    return Int(size[keyPath: part])
  }

  /// Reads a line without echoing it.
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
