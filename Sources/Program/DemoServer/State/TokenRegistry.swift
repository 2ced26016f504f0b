import Synchronization

final class TokenRegistry: Sendable {
  private let expirations = Mutex<[String: Timestamp]>([:])
  private let lifetime: Duration
  /// Above this many tokens, a login removes the expired ones.
  private static let sweepThreshold = 1024

  init(lifetime: Duration) { self.lifetime = lifetime }

  func issue(now: Timestamp) -> (token: String, expiresAt: Timestamp) {
    let token = RandomText.hexadecimal(bytes: 24)
    let expiresAt = now + lifetime
    expirations.withLock { tokens in
      if tokens.count >= Self.sweepThreshold { tokens = tokens.filter { $0.value > now } }
      tokens[token] = expiresAt
    }
    return (token, expiresAt)
  }

  func isValid(_ token: String, now: Timestamp) -> Bool {
    expirations.withLock { $0[token].map { now < $0 } ?? false }
  }

  func revoke(_ token: String? = nil) {
    expirations.withLock { tokens in
      if let token { tokens[token] = nil } else { tokens.removeAll() }
    }
  }
}
enum RandomText {
  static func hexadecimal(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: bytes * 2) { buffer in
      // Each word costs a system call, so all of its sixteen digits are used.
      var word: UInt64 = 0
      for index in 0..<bytes * 2 {
        if index % 16 == 0 { word = generator.next() }
        buffer[index] = digits[Int(word & 15)]
        word >>= 4
      }
      return bytes * 2
    }
  }
}
