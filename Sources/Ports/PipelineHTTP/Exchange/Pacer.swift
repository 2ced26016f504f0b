import NIOCore
import Synchronization

/// Shares a number of bytes per second among all transfers of a transport.
///
/// Each piece gets a moment at which it may be sent, in the order in which the pieces are asked for. Transfers ask for one small
/// piece after another, so that they share evenly and the flow is smooth.
final class Pacer: Sendable {
  private let bytesPerSecond: Int64
  private let state = Mutex<(free: NIODeadline, rest: Int64)>((.uptimeNanoseconds(0), 0))

  init(bytesPerSecond: Int64) { self.bytesPerSecond = bytesPerSecond }
  /// The size of a piece: the amount for a twentieth of a second, at least 1 KiB.
  var piece: Int { Int(clamping: max(bytesPerSecond / 20, 1024)) }

  /// When `bytes` may be sent that are asked for at `now`.
  func moment(for bytes: Int, at now: NIODeadline = .now()) -> NIODeadline {
    state.withLock { state in
      if state.free < now { state = (now, 0) }
      let moment = state.free
      // In parts of a nanosecond, so that small pieces lose nothing to rounding.
      let (whole, part) = (Int64(bytes) * 1_000_000_000 + state.rest).quotientAndRemainder(
        dividingBy: bytesPerSecond)
      state = (moment + .nanoseconds(whole), part)
      return moment
    }
  }
}
