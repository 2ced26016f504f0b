import Basics
import Synchronization

/// The text of the `Date` header, updated once a second.
enum HTTPDateCache {
  private static let latest = Mutex<(second: Int64, text: String)>((.min, ""))

  static func text(at now: Timestamp) -> String {
    let second = now.milliseconds / 1000
    return latest.withLock { latest in
      if latest.second != second { latest = (second, now.httpDate) }
      return latest.text
    }
  }
}
