import Synchronization

/// A value that several closures change.
final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
    value.withLock(body)
  }
}
