/// Whether a transfer is left to the system's discretion, and what that holds it for (DI1–DI3, DI5,
/// DI6, DI8).
public struct Discretion: Hashable, Sendable {
  /// What has changed from release to release.
  public struct Rules: Hashable, Sendable {
    /// Whether a transfer that was created in the background stops being discretionary when the app
    /// comes to the front: iOS 8 and later (DI2).
    public var isLiftedInFront: Bool
    /// Charge below which only the essential runs (DI6).
    public var criticalBattery: Double

    /// Usual rules.
    public init(isLiftedInFront: Bool = true, criticalBattery: Double = 0.2) {
      self.isLiftedInFront = isLiftedInFront
      self.criticalBattery = criticalBattery
    }
  }

  /// Networks that a transfer may use (DI8).
  public struct Networks: Hashable, Sendable {
    /// Mobile data.
    public var allowsCellular: Bool
    /// Ways that cost money.
    public var allowsExpensive: Bool
    /// Ways on which data is to be saved.
    public var allowsConstrained: Bool

    /// All ways, where nothing is said.
    public init(
      allowsCellular: Bool = true, allowsExpensive: Bool = true, allowsConstrained: Bool = true
    ) {
      self.allowsCellular = allowsCellular
      self.allowsExpensive = allowsExpensive
      self.allowsConstrained = allowsConstrained
    }
  }

  /// The rules it goes by.
  public let rules: Rules
  /// What the app asked for; honoured only for transfers created in the foreground (DI1).
  public let isAsked: Bool
  /// Whether the transfer was created while the app was behind.
  public let isFromBackground: Bool
  /// Ways that the transfer may use.
  public let networks: Networks
  private var wasInFront = false

  /// The discretion of one transfer.
  public init(
    _ rules: Rules = Rules(), isAsked: Bool = false, isFromBackground: Bool,
    networks: Networks = Networks()
  ) {
    self.rules = rules
    self.isAsked = isAsked
    self.isFromBackground = isFromBackground
    self.networks = networks
  }

  /// Whether the transfer is discretionary now.
  public var isDiscretionary: Bool {
    guard isFromBackground else { return isAsked }
    // Whatever the app asked for, a transfer from the background is (DI1), until the app was in
    // front (DI2).
    return !wasInFront || isAsked
  }

  /// The app came to the front (DI2).
  public mutating func appCameToFront() { if rules.isLiftedInFront { wasInFront = true } }

  /// What holds the transfer under `conditions`; `nil` where nothing does.
  ///
  /// It is asked at the start and whenever conditions change: a transfer in flight is stopped by the
  /// same rules (DI8).
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
