/// When documents are checked: after a pause in typing that is as long as two checks.
///
/// So at most a third of the time goes into checks, however long the document is and however fast someone types; a short
/// document is checked at each key.
struct CheckSchedule: Sendable {
  static let longestPause = Duration.milliseconds(500)

  private(set) var changes = 0
  private var lastCheck = Duration.zero

  /// Notes a change; returns the pause after which it is due.
  mutating func change() -> Duration {
    changes += 1
    return min(lastCheck * 2, Self.longestPause)
  }

  /// Whether no change came after the one with this number.
  func isDue(_ change: Int) -> Bool { change == changes }
  mutating func finish(_ duration: Duration) { lastCheck = duration }
}
