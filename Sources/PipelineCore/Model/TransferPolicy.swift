/// How the transfer service treats a background transfer.
public struct TransferPolicy: Hashable, Sendable {
  /// Time without progress after which an attempt ends, to be repeated (TX7).
  public let requestTimeout: Duration
  /// Time that a transfer may take from its hand-over on, waiting included (TX8).
  public internal(set) var resourceTimeout: Duration
  /// Place among transfers that wait for a slot, from 0 to 1; the greater goes first (TX24).
  public let priority: Double
  /// Whether the system may wait for a good moment, such as a charger and Wi-Fi (DI1).
  public let isDiscretionary: Bool
  /// Not begun before: a timestamp, or a duration from the moment when all that the step reads is there (TX14).
  public let earliest: Expression?
  /// Networks that may carry it.
  public let network: NetworkUse
  /// When it asks for its request anew; with ``Renewal/begin`` the service waits for ``earliest``.
  public let renewals: Set<Renewal>

  /// 60 s (TX7).
  public static let defaultRequestTimeout: Duration = .seconds(60)
  /// 7 days (TX8).
  public static let defaultResourceTimeout: Duration = .seconds(7 * 86400)
  /// 0.5, as for transfers of which nothing is said.
  public static let defaultPriority = 0.5

  /// Makes a policy; what is left out is as the transfer service has it.
  public init(
    requestTimeout: Duration = defaultRequestTimeout,
    resourceTimeout: Duration = defaultResourceTimeout, priority: Double = defaultPriority,
    isDiscretionary: Bool = false, earliest: Expression? = nil,
    network: NetworkUse = NetworkUse(), renewals: Set<Renewal> = []
  ) {
    self.requestTimeout = requestTimeout
    self.resourceTimeout = resourceTimeout
    self.priority = priority
    self.isDiscretionary = isDiscretionary
    self.earliest = earliest
    self.network = network
    self.renewals = renewals
  }
}

/// Networks that may carry a transfer, for devices that tell them apart.
public struct NetworkUse: Hashable, Sendable {
  /// Mobile networks.
  public let cellular: Bool
  /// Networks that the system calls expensive, such as a mobile network or a personal hotspot.
  public let expensive: Bool
  /// Networks on which the person has asked for little data.
  public let constrained: Bool

  /// Allows what is not denied.
  public init(cellular: Bool = true, expensive: Bool = true, constrained: Bool = true) {
    self.cellular = cellular
    self.expensive = expensive
    self.constrained = constrained
  }
}

/// What a rendered request tells the transfer service besides the request itself.
///
/// ``RenderedRequest/timeout`` is the resource timeout.
public struct TransferSettings: Hashable, Sendable {
  /// The fence of the attempt: the label under which a service that outlives the process keeps the
  /// transfer.
  public let id: EffectID
  /// Identifier of the background session.
  public let session: String
  /// Time without progress after which the attempt ends.
  public let requestTimeout: Duration
  /// Place among waiting transfers, from 0 to 1; the greater goes first.
  public let priority: Double
  /// Whether the system may wait for a good moment.
  public let isDiscretionary: Bool
  /// Networks that may carry it.
  public let network: NetworkUse
  /// When the service asks for the request anew.
  public let renewals: Set<Renewal>
  /// The service does not begin it before; `nil` where it may at once.
  public var earliest: Instant?

  /// The settings of a transfer in a session.
  public init(
    id: EffectID, session: String, policy: TransferPolicy, earliest: Instant? = nil
  ) {
    self.id = id
    self.session = session
    requestTimeout = policy.requestTimeout
    priority = policy.priority
    isDiscretionary = policy.isDiscretionary
    network = policy.network
    renewals = policy.renewals
    self.earliest = earliest
  }
}
