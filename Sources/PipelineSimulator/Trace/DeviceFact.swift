public import PipelineCore

/// Something observable about a device, as reports show it.
public enum DeviceFact: Hashable, Sendable {
  /// Where the app stands now.
  case life(DeviceLife)
  /// What surrounds the device now.
  case conditions(DeviceConditions)
  /// The transfer service has resumed or launched the app; its next tasks from behind would wait
  /// for `delay` (RL1).
  case woken(delay: Duration)
  /// A transfer waits, and for what.
  case transferHeld(EffectID, TransferHold)
  /// A transfer moves bytes.
  case transferMoves(EffectID)
  /// The server has the whole request of a transfer.
  case transferSent(EffectID)
  /// A transfer is over, and the app does not know yet.
  case transferOver(EffectID)
  /// The transfer service has forgotten a transfer: the app was told, or has cancelled it.
  case transferGone(EffectID)
  /// Bytes that files of the run take on the disk.
  case diskUse(Int64)
}

/// Where an app stands.
public enum DeviceLife: Hashable, Sendable {
  /// In front of a person.
  case inFront
  /// Behind, and running until the instant (BT1, BT2).
  case behind(until: Instant)
  /// In memory, and not running.
  case asleep
  /// Not in memory; the transfer service can launch it again (FQ4).
  case gone
  /// Swiped away by a person: nothing but a person launches it again (FQ1).
  case forceQuit
}
