/// A device's surroundings at one time.
public struct DeviceConditions: Hashable, Sendable {
  /// The kind of network connection.
  public typealias Network = ScenarioConditions.Network

  /// The kind of network connection.
  public var network: Network
  /// Whether the network is expensive (mobile data, or a phone's hot spot), and in low-data mode.
  public var isExpensive, isConstrained: Bool
  /// Bytes per second that all transfers share.
  public var bandwidth: Int64
  /// Whether the device is charging.
  public var hasPower: Bool
  /// Charge from 0 to 1.
  public var battery: Double
  /// Whether low-power mode is on, and whether files of the strictest protection are unreadable (TX18).
  public var isLowPowerMode, isLocked: Bool

  /// The default conditions: at home on a desk.
  public init(
    network: Network = .wifi, isExpensive: Bool = false, isConstrained: Bool = false,
    bandwidth: Int64 = 5_000_000, hasPower: Bool = true, battery: Double = 1,
    isLowPowerMode: Bool = false, isLocked: Bool = false
  ) {
    (self.network, self.isExpensive, self.isConstrained) = (network, isExpensive, isConstrained)
    (self.bandwidth, self.hasPower, self.battery) = (bandwidth, hasPower, battery)
    (self.isLowPowerMode, self.isLocked) = (isLowPowerMode, isLocked)
  }
}

/// Why a transfer does not move, with the rule that holds it.
public enum TransferHold: Hashable, Sendable, CaseIterable {
  /// It was created in the background while the resume delay was on (RL4).
  case resumeDelay
  /// The day's bytes are used up (DI4).
  case dailyBudget
  /// A discretionary transfer waits for the charger (DI3).
  case discretionaryPower
  /// A discretionary transfer waits for Wi-Fi (DI3).
  case discretionaryNetwork
  /// The battery is low or low-power mode is on, so only essential transfers run (DI6).
  case energy
  /// The device was restarted and has not been unlocked yet (FQ4).
  case firstUnlock
  /// There is no network (DI8).
  case noNetwork
  /// The transfer may not use this kind of network (DI8).
  case networkNotAllowed
  /// Its connection broke, and the service waits before it tries again (TX7).
  case brokenConnection
  /// Too many tasks are queued (TX21).
  case queueTooLong
  /// The service delays it even in the foreground (TX22).
  case startDelay
  /// Its earliest start has not come (TX14).
  case earliestBegin
  /// Others have precedence, by priority and then by age (TX24).
  case connections

  /// Position among all cases: if several hold at once, the time counts for the first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The rule's id in the device rules.
  public var rule: String {
    switch self {
    case .earliestBegin: "TX14"
    case .resumeDelay: "RL4"
    case .startDelay: "TX22"
    case .queueTooLong: "TX21"
    case .connections: "TX24"
    case .firstUnlock: "FQ4"
    case .noNetwork, .networkNotAllowed: "DI8"
    case .brokenConnection: "TX7"
    case .discretionaryNetwork, .discretionaryPower: "DI3"
    case .energy: "DI6"
    case .dailyBudget: "DI4"
    }
  }
}
