/// Whether a transfer is discretionary, and the conditions that it therefore waits for (DI1–DI3, DI5, DI6, DI8).
public struct Discretion: Hashable, Sendable {
  /// The rules that differ between releases.
  public struct Rules: Hashable, Sendable {
    /// Whether a transfer from the background is discretionary only until the app is opened: iOS 8 and later (DI2).
    public var isLiftedInFront: Bool
    /// Battery level below which only essential transfers run (DI6).
    public var criticalBattery: Double

    /// Typical rules.
    public init(isLiftedInFront: Bool = true, criticalBattery: Double = 0.2) {
      (self.isLiftedInFront, self.criticalBattery) = (isLiftedInFront, criticalBattery)
    }
  }

  /// Networks that a transfer may use (DI8).
  public struct Networks: Hashable, Sendable {
    /// Whether mobile data, expensive networks, and networks in low-data mode are allowed.
    public var allowsCellular, allowsExpensive, allowsConstrained: Bool

    /// All networks: the default.
    public init(
      allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsConstrained: Bool = true
    ) {
      (self.allowsCellular, self.allowsExpensive) = (allowsCellular, allowsExpensive)
      self.allowsConstrained = allowsConstrained
    }
  }

  /// The rules in force.
  public let rules: Rules
  /// Whether the app asked for it, which is honored only for transfers from the foreground (DI1).
  public let isAsked: Bool
  /// Whether the transfer was created while the app was in the background.
  public let isFromBackground: Bool
  /// Networks that the transfer may use.
  public let networks: Networks
  private var wasInFront = false

  /// The discretion of one transfer.
  public init(
    _ rules: Rules = Rules(), isAsked: Bool = false, isFromBackground: Bool,
    networks: Networks = Networks()
  ) {
    (self.rules, self.isAsked, self.isFromBackground) = (rules, isAsked, isFromBackground)
    self.networks = networks
  }

  /// Whether the transfer is discretionary now.
  public var isDiscretionary: Bool {
    guard isFromBackground else { return isAsked }
    // DI1, until the app has been in the foreground (DI2).
    return !wasInFront || isAsked
  }

  /// The app came to the foreground (DI2).
  public mutating func appCameToFront() { if rules.isLiftedInFront { wasInFront = true } }

  /// What holds the transfer, also in flight (DI8), under `conditions`; `nil` if nothing does.
  public func hold(under conditions: DeviceConditions) -> TransferHold? {
    if conditions.network == .none || conditions.bandwidth <= 0 { return .noNetwork }
    if conditions.network == .cellular, !networks.allowsCellular { return .networkNotAllowed }
    if conditions.isExpensive, !networks.allowsExpensive { return .networkNotAllowed }
    if conditions.isConstrained, !networks.allowsConstrained { return .networkNotAllowed }
    guard isDiscretionary else { return nil }
    if conditions.network != .wifi { return .discretionaryNetwork }
    if conditions.isLowPowerMode || conditions.battery < rules.criticalBattery, !conditions.hasPower
    {
      return .energy
    }
    if !conditions.hasPower { return .discretionaryPower }
    return nil
  }
}
