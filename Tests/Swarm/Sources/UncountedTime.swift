import PipelineSimulator

/// Watches for times at which no process counted, so that what has passed is known only from a clock that was set.
struct UncountedTime {
  private var isClockSet = false
  /// Whether the device has restarted, and no process has read the clock since.
  private var isUncounted = false

  /// Whether with this fact the clock no longer says how much time has passed.
  mutating func begins(with fact: TraceEvent.Fact) -> Bool {
    switch fact {
    case .clockChanged:
      isClockSet = true
      return isUncounted
    case .deviceRestarted:
      isUncounted = true
      return isClockSet
    case .processBegan: isUncounted = false
    default: break
    }
    return false
  }
}
