extension Terminal {
  package enum Paint: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    case dim = "2"
  }

  /// Whether to use color on standard error (https://no-color.org).
  package static var hasColor: Bool { hasColor(on: STDERR_FILENO) }

  /// Whether to use color on a stream: only on a terminal, and not with `NO_COLOR`, unless the settings override it.
  package static func hasColor(on descriptor: Int32) -> Bool {
    guard environment("NO_COLOR") == nil else { return false }
    let isTerminal = isatty(descriptor) == 1 && term != "dumb"
    // The settings are read from a file, which most commands need not do.
    switch isTerminal || environment("PIPELINE_CONFIG") != nil ? color : .auto {
    case .always: return true
    case .never: return false
    case .auto: return isTerminal
    }
  }

  private static let color: Settings.Color = Settings.current.color ?? .auto

  /// The text in color, if the stream has colors; it must be harmless already.
  package static func painted(_ text: String, _ paint: Paint, on descriptor: Int32) -> String {
    text.isEmpty || !hasColor(on: descriptor) ? text : "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }

  /// As ``print(_:)``, with the first occurrence of a word in color.
  package static func print(_ line: String, painting word: String, _ paint: Paint) {
    send(painted(word, in: line.visibleLine, paint, on: STDOUT_FILENO) + "\n", to: STDOUT_FILENO)
  }

  /// As ``error(_:)``, with the first occurrence of a word in color.
  package static func error(_ line: String, painting word: String, _ paint: Paint) {
    send(painted(word, in: line.visibleLine, paint, on: STDERR_FILENO) + "\n", to: STDERR_FILENO)
  }

  private static func painted(
    _ word: String, in line: String, _ paint: Paint, on descriptor: Int32
  ) -> String {
    guard let range = line.firstRange(of: word) else { return line }
    return line[..<range.lowerBound] + painted(word, paint, on: descriptor)
      + line[range.upperBound...]
  }
}
