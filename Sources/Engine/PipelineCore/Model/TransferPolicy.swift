/// How the transfer service treats a background transfer.
public struct TransferOptions<S: Stage>: Sendable {
  /// Time without progress after which an attempt ends, to be repeated (TX7).
  public let requestTimeout: Duration
  /// Time from the last byte of an upload until the response.
  public let responseTimeout: Duration
  /// Maximum duration of a transfer from its hand-over, including waiting (TX8).
  public internal(set) var resourceTimeout: Duration
  /// Priority among transfers that wait for a slot, from 0 to 1; higher is sent first (TX24).
  public let priority: Double
  /// Whether the system may wait for a good time, such as with a charger and Wi-Fi (DI1).
  public let isDiscretionary: Bool
  /// Not started before: a timestamp, or a duration from the time when all inputs of the step are available (TX14).
  public let earliest: S.Expression?
  /// Networks that it may use.
  public let network: NetworkUse
  /// When it asks for a new request; with ``Renewal/begin`` the service waits for ``earliest``.
  public let renewals: Set<Renewal>

  /// 60 s (TX7).
  public static var defaultRequestTimeout: Duration { .seconds(60) }
  /// 5 min.
  public static var defaultResponseTimeout: Duration { .seconds(300) }
  /// 7 days (TX8).
  public static var defaultResourceTimeout: Duration { .seconds(7 * 86400) }
  /// 0.5, the transfer service's default.
  public static var defaultPriority: Double { 0.5 }

  /// Creates a policy; the defaults are those of the transfer service.
  public init(
    requestTimeout: Duration = defaultRequestTimeout,
    responseTimeout: Duration = defaultResponseTimeout,
    resourceTimeout: Duration = defaultResourceTimeout, priority: Double = defaultPriority,
    isDiscretionary: Bool = false, earliest: S.Expression? = nil,
    network: NetworkUse = NetworkUse(), renewals: Set<Renewal> = []
  ) {
    (self.requestTimeout, self.resourceTimeout) = (requestTimeout, resourceTimeout)
    self.responseTimeout = responseTimeout
    (self.priority, self.isDiscretionary, self.earliest) = (priority, isDiscretionary, earliest)
    (self.network, self.renewals) = (network, renewals)
  }
}

/// Transfer options as the author wrote them.
public typealias TransferPolicy = TransferOptions<Compiled>

extension TransferOptions: Equatable, Hashable where S == Compiled {}

/// Networks that a transfer may use, for devices that distinguish them.
public struct NetworkUse: Hashable, Sendable {
  /// Mobile networks.
  public let cellular: Bool
  /// Networks that the system marks as expensive, such as a mobile network or a personal hotspot.
  public let expensive: Bool
  /// Networks in low-data mode.
  public let constrained: Bool

  /// Allows everything that is not denied.
  public init(cellular: Bool = true, expensive: Bool = true, constrained: Bool = true) {
    (self.cellular, self.expensive, self.constrained) = (cellular, expensive, constrained)
  }
}

/// The part of a rendered request for the transfer service; the timeout is ``RenderedRequest/timeout``.
public struct TransferSettings: Hashable, Sendable {
  /// The fence of the attempt: the label under which a service that outlives the process stores it.
  public let id: EffectID
  /// Identifier of the background session.
  public let session: String
  /// Time without progress after which the attempt ends.
  public let requestTimeout: Duration
  /// Time from the last byte of an upload until the response.
  public let responseTimeout: Duration
  /// Priority among waiting transfers, from 0 to 1; higher is sent first.
  public let priority: Double
  /// Whether the system may wait for a good time.
  public let isDiscretionary: Bool
  /// Networks that it may use.
  public let network: NetworkUse
  /// When the service asks for a new request.
  public let renewals: Set<Renewal>
  /// The service does not start it before; `nil` if it may start at once.
  public var earliest: Instant?

  /// The settings of a transfer in a session.
  public init(id: EffectID, session: String, policy: TransferPolicy, earliest: Instant? = nil) {
    (self.id, self.session) = (id, session)
    requestTimeout = policy.requestTimeout
    responseTimeout = policy.responseTimeout
    priority = policy.priority
    isDiscretionary = policy.isDiscretionary
    network = policy.network
    renewals = policy.renewals
    self.earliest = earliest
  }
}
