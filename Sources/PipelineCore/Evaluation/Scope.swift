public import CEL

/// The values that the expressions of one step see, as they were when the step was demanded.
public struct Scope: Hashable, Sendable {
  /// The run.
  public let run: RunID
  /// What stands in each key of the run; see ``RunState/keySeed``.
  public let keySeed: String?
  /// Values of inputs, secret ones too.
  public let inputs: [String: Value]
  /// Values of secret inputs, to be kept out of every text.
  public let secrets: [String: Value]
  /// The steps of run scope.
  public let runFrame: Frame
  /// The item's key, in a loop.
  public private(set) var item: ItemKey?
  /// The item, in a loop.
  public private(set) var subject: Item.Subject?
  /// The item's steps, in a loop.
  public private(set) var itemFrame: Frame
  /// The items that a batch is sent for, in order; none for any other step.
  public private(set) var members: [Member] = []
  /// When the step was demanded.
  public internal(set) var now: Instant
  /// Values of names that are known only where the expression stands, such as the request that a
  /// test's answer is for.
  public var locals: [String: Value] = [:]

  /// An item of a batch.
  public struct Member: Hashable, Sendable {
    /// Which item it is.
    public let item: ItemKey
    /// What it is.
    public let subject: Item.Subject
    /// Its steps.
    public let frame: Frame
  }

  /// Takes the values of a batch; its first member's are those of the item.
  public init(_ state: RunState, batch: [Item], now: Instant) {
    self.init(state, item: batch.first, now: now)
    members = batch.map { Member(item: $0.key, subject: $0.subject, frame: $0.frame) }
  }

  /// The same values for a batch whose only member is the item; without an item, the same.
  public var batchOfOne: Scope {
    guard let item, let subject, members.isEmpty else { return self }
    var scope = self
    scope.members = [Member(item: item, subject: subject, frame: itemFrame)]
    return scope
  }

  /// The values that expressions about one member see.
  func of(_ member: Member) -> Scope {
    var scope = self
    scope.item = member.item
    scope.subject = member.subject
    scope.itemFrame = member.frame
    return scope
  }

  /// What each key of the run begins with: random for every run, and the run's name for runs that began
  /// before it was.
  var keyPrefix: String { keySeed ?? run.rawValue }

  /// Takes the values of a step of run scope, or of an item's.
  public init(_ state: RunState, item: Item?, now: Instant) {
    run = state.id
    keySeed = state.keySeed
    inputs = state.inputs
    secrets = state.secrets
    runFrame = state.frame
    self.item = item?.key
    subject = item?.subject
    itemFrame = item?.frame ?? []
    self.now = now
  }
}

/// What a server answered, or why it did not.
public struct Response: Hashable, Sendable {
  /// HTTP status; 0 where there was no answer.
  public let status: Int
  /// Headers in order; names as the server wrote them.
  public let headers: [Header]
  /// The body, bounded by the transport.
  public let body: [UInt8]
  /// The URL that answered, after redirects.
  public let url: String
  /// Why there was no answer.
  public let error: TransportFailure?
  /// When the request was begun.
  public let sent: Instant
  /// When the answer was complete.
  public let received: Instant

  /// A header's name and value.
  public struct Header: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Pairs a name with its value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// An answer, or the lack of one.
  public init(
    status: Int, headers: [Header] = [], body: [UInt8] = [], url: String,
    error: TransportFailure? = nil, sent: Instant, received: Instant
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.error = error
    self.sent = sent
    self.received = received
  }

  /// The value of the first header called `name`, compared without case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// Why a transport has no answer.
public struct TransportFailure: Error, Hashable, Sendable {
  /// What went wrong, as `response.error` shows it in expressions.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The name has no address.
    case nameNotResolved = "name-not-resolved"
    /// There is no network, or no resolver that answers; says nothing about the server.
    case networkUnavailable = "network-unavailable"
    /// This process, or the system, has no descriptor left to connect with.
    case tooManyOpenFiles = "too-many-open-files"
    /// Nobody listens.
    case connectionRefused = "connection-refused"
    /// The connection broke.
    case connectionLost = "connection-lost"
    /// The time was over.
    case timeout
    /// The certificate is not the host's, or not trusted.
    case tls
    /// The scheme, host or port is not usable.
    case badURL = "bad-url"
    /// The answer was larger than the transport takes.
    case responseTooLarge = "answer-too-large"
    /// More redirects than the transport follows, or one it must not follow.
    case redirect
    /// The body file changed while it was sent, or is gone.
    case fileChanged = "file-changed"
    /// The body file cannot be read.
    case fileUnreadable = "file-unreadable"
    /// This run must not send the request there: the host is not one of those that are allowed, an answer led into a private
    /// network, or a secret would go unencrypted to another machine.
    case notAllowed = "not-allowed"
    /// We stopped the request. Expressions never see it: an interruption is no answer.
    case interrupted

    /// Those that `response.error` shows.
    public static let shown = allCases.filter { $0 != .interrupted }
  }

  /// What went wrong.
  public let kind: Kind
  /// More about it, for people; holds no secret.
  public let message: String
  /// Whether bytes of the request may have reached the server.
  public let mayHaveBeenSent: Bool

  /// Describes a failure.
  public init(_ kind: Kind, message: String, mayHaveBeenSent: Bool) {
    self.kind = kind
    self.message = message
    self.mayHaveBeenSent = mayHaveBeenSent
  }
}

/// An expression that failed on the values it met.
public struct EvaluationFailure: Error, Hashable, Sendable {
  /// What went wrong; holds no secret.
  public let message: String
  /// Where the expression stands.
  public let location: SourceLocation

  /// Describes a failure.
  public init(message: String, location: SourceLocation) {
    self.message = message
    self.location = location
  }

  /// `file:line:column: message`.
  public var failure: Failure { Failure("\(location): \(message)") }
}

/// A request, ready to be sent.
public struct RenderedRequest: Hashable, Sendable {
  /// The method.
  public var method: String
  /// The absolute URL.
  public var url: String
  /// Headers in order.
  public var headers: [Response.Header]
  /// The body; empty for an upload, whose body is a file.
  public var body: [UInt8]
  /// Time the exchange may take; of a transfer, from its hand-over on.
  public var timeout: Duration
  /// Names, in lower case, of headers that must not go to another host.
  public var secretHeaders: Set<String>
  /// The header that carries the idempotency key, which is of no use to another host.
  public var keyHeader: String?
  /// Whether anything in the request is a secret.
  public var carriesSecret = false
  /// Whether a redirect is followed; else it is a failure.
  public var followsRedirects = true
  /// The hosts whose answers have named the host of the URL; `nil` where the pipeline or an input names it.
  public var hostNamedBy: [String]?
  /// What the transfer service is told; `nil` for a short request.
  public var transfer: TransferSettings?

  /// Makes a request.
  public init(
    method: String, url: String, headers: [Response.Header] = [], body: [UInt8] = [],
    timeout: Duration = RequestTemplate.defaultTimeout, secretHeaders: Set<String> = [],
    transfer: TransferSettings? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.secretHeaders = secretHeaders
    self.transfer = transfer
  }
}
