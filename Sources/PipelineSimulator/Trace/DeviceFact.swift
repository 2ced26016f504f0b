public import PipelineCore

/// Something observable about a device, for reports.
public enum DeviceFact: Hashable, Sendable {
  /// The new state of the app.
  case life(DeviceLife)
  /// The device's new conditions.
  case conditions(DeviceConditions)
  /// The transfer service has resumed or launched the app; new tasks created in the background now wait
  /// for `delay` (RL1).
  case woken(delay: Duration)
  /// A transfer is held, and why.
  case transferHeld(EffectID, TransferHold)
  /// A transfer moves bytes.
  case transferMoves(EffectID)
  /// The server has the whole request of a transfer.
  case transferSent(EffectID)
  /// A transfer has ended, but the app does not know yet.
  case transferOver(EffectID)
  /// The transfer service has forgotten a transfer: the app was told, or has cancelled it.
  case transferGone(EffectID)
  /// Bytes that files of the run use on the disk.
  case diskUse(Int64)
}

/// The state of an app.
public enum DeviceLife: Hashable, Sendable {
  /// In the foreground.
  case inFront
  /// In the background, and running until the instant (BT1, BT2).
  case behind(until: Instant)
  /// In memory, but not running.
  case asleep
  /// Not in memory; the transfer service can launch it again (FQ4).
  case gone
  /// Swiped away: only the user can launch it again (FQ1).
  case forceQuit
}
