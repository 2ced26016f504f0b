import PipelineCore
import PipelineScenarios

extension TraceText {
  /// The text for a fact about the device; transfers are mentioned only in full texts.
  func content(_ fact: DeviceFact, _ detail: Detail) -> (place: String, text: String)? {
    switch fact {
    // The allowance already says whether the process runs or is suspended.
    case .life(.inFront), .life(.behind), .life(.asleep), .life(.gone):
      guard detail == .full, case .life(let life) = fact else { return nil }
      return ("", Self.word(life))
    case .life(.forceQuit): return ("", Self.word(.forceQuit))
    case .conditions(let conditions): return ("", Self.text(conditions))
    case .woken(let delay):
      return ("", "resumed by the transfer service; the delay is now \(Self.time(delay))")
    case .transferHeld(let id, let hold):
      return detail == .full ? (place(id), "held by \(hold.rule)") : nil
    case .transferMoves(let id): return detail == .full ? (place(id), "moves") : nil
    case .transferSent(let id): return detail == .full ? (place(id), "is sent") : nil
    case .transferOver(let id): return detail == .full ? (place(id), "has ended") : nil
    case .transferGone(let id): return detail == .full ? (place(id), "is reported") : nil
    case .diskUse(let bytes): return detail == .full ? ("", "\(bytes) B on the disk") : nil
    }
  }

  static func word(_ life: DeviceLife) -> String {
    switch life {
    case .inFront: "app in the foreground"
    case .behind: "app in the background, running"
    case .asleep: "app suspended"
    case .gone: "app not in memory"
    case .forceQuit: "app swiped away"
    }
  }

  static func text(clockChange step: Duration) -> String {
    step < .zero
      ? "the clock is moved back by \(time(.zero - step))"
      : "the clock is moved forward by \(time(step))"
  }

  static func text(_ conditions: DeviceConditions) -> String {
    var parts = [
      conditions.network == .none ? "no network" : conditions.network.rawValue,
      conditions.hasPower ? "charging" : "battery \(Int((conditions.battery * 100).rounded())) %",
    ]
    if conditions.isExpensive { parts.append("expensive") }
    if conditions.isConstrained { parts.append("constrained") }
    if conditions.isLowPowerMode { parts.append("low-power mode") }
    if conditions.isLocked { parts.append("locked") }
    return parts.joined(separator: ", ")
  }
}
