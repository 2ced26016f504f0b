import Basics
import CEL
import PipelineCore

/// What is left of the rates: `"rates": {"init": [1764072000000, 3]}`.
extension JSONWriter {
  mutating func write(_ buckets: [String: TokenBucket]) {
    object("rates") {
      for (name, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
        $0.array(name) {
          $0.int(nil, bucket.full.milliseconds)
          $0.int(nil, bucket.rest)
        }
      }
    }
  }
}

extension TokenBucket {
  init(stored value: Value) throws(Damage) {
    guard case .list(let numbers) = value, numbers.count == 2, case .int(let full) = numbers[0],
      case .int(let rest) = numbers[1]
    else { throw Damage(message: "expected what is left of a rate") }
    self.init(full: Instant(milliseconds: full), rest: rest)
  }
}
