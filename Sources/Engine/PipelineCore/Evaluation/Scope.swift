public import CEL

/// The values that the expressions of one step can read, as they were when the step was issued.
public struct Scope: Hashable, Sendable {
  public let run: RunID
  /// The seed of each key of the run; see ``RunState/keySeed``.
  public let keySeed: String?
  /// Values of inputs, including secrets.
  public let inputs: [String: Value]
  /// Values of secret inputs, to be redacted in every text.
  public let secrets: [String: Value]
  /// The run-level steps.
  public private(set) var runFrame: Frame
  /// The item's key, in a loop.
  public private(set) var item: ItemKey?
  /// The item, in a loop.
  public private(set) var subject: Item.Subject?
  /// The item's steps, in a loop.
  public private(set) var itemFrame: Frame
  /// The results that the item has now, where ``itemFrame`` has some that were replaced; see ``naming(_:)``.
  public private(set) var present: Frame?
  /// The request whose expressions that read a secret have the value `***`.
  var hiding: RequestTemplate?
  /// The part of the item, in a `for_each` step.
  public private(set) var part: Value?
  /// The part's steps, in a `for_each` step.
  public private(set) var partFrame: Frame = []
  /// The items that a batch is sent for, in order; empty for any other step.
  public private(set) var members: [Member] = []
  /// When the step was issued.
  public internal(set) var now: Instant
  let clocks: [String: ClockOffset]
  /// Values of names that exist only in special places, such as the request of a test's response.
  public var locals: [String: Value] = [:]

  /// An item of a batch.
  public struct Member: Hashable, Sendable {
    /// The item's key.
    public let item: ItemKey
    /// The item's subject.
    public let subject: Item.Subject
    /// Its steps.
    public let frame: Frame
  }

  /// Creates the scope of a batch; its item's values are those of the first member.
  public init(_ state: RunState, batch: [Item], now: Instant) {
    self.init(state, item: batch.first, now: now)
    members = batch.map {
      Member(item: $0.key, subject: $0.subject, frame: $0.withoutCollected.frame)
    }
  }

  /// The same scope for a batch whose only member is the item; unchanged without an item.
  public var batchOfOne: Scope {
    guard let item, let subject, members.isEmpty else { return self }
    var scope = self
    scope.members = [Member(item: item, subject: subject, frame: itemFrame)]
    return scope
  }

  package func of(_ file: FileValue) -> Scope {
    var scope = self
    scope.subject = .file(file)
    return scope
  }

  /// The same scope with the results that a remnant names in the place of those that the item has now.
  func naming(_ remnant: Remnant) -> Scope {
    var scope = self
    scope.present = itemFrame
    for position in remnant.positions where scope.itemFrame.indices.contains(position) {
      scope.itemFrame[position] = remnant.frame[position]
    }
    return scope
  }

  /// The scope before results that were replaced were put into it; `nil` if none were.
  public var ofPresentResults: Scope? {
    guard let present else { return nil }
    var scope = self
    scope.itemFrame = present
    scope.present = nil
    return scope
  }

  /// Puts values in the place of a step's outputs, as if it had just left them.
  package mutating func conclude(_ step: Int, _ outputs: [OutputValue], _ pipeline: Pipeline) {
    let position = pipeline.steps[step].position
    if pipeline.steps[step].loop == nil {
      guard runFrame.indices.contains(position) else { return }
      runFrame[position].outputs = outputs
    } else if pipeline.steps[step].partOf != nil {
      guard partFrame.indices.contains(position) else { return }
      partFrame[position].outputs = outputs
    } else if itemFrame.indices.contains(position) {
      itemFrame[position].outputs = outputs
    }
  }

  /// Puts values in the place of those that a step's last success left.
  package mutating func recall(_ previous: [OutputValue], of step: Step) {
    func put(_ frame: inout Frame) {
      guard frame.indices.contains(step.position) else { return }
      (frame[step.position].previous, frame[step.position].outputs) = (previous, [])
    }
    if step.loop == nil {
      put(&runFrame)
    } else if step.partOf == nil {
      put(&itemFrame)
    } else {
      put(&partFrame)
    }
  }

  package func of(_ member: Member) -> Scope {
    var scope = self
    scope.item = member.item
    scope.subject = member.subject
    scope.itemFrame = member.frame
    return scope
  }

  /// The start of each key of the run: random, or the run's name for runs without a key seed.
  var keyPrefix: String { keySeed ?? run.rawValue }

  /// The same scope for a part of its item, with the part's steps.
  public func of(_ key: ItemKey, part: Value, _ frame: Frame) -> Scope {
    var scope = self
    scope.item = key
    scope.part = part
    scope.partFrame = frame
    return scope
  }

  /// The frame of the step: the run's, the item's or the part's.
  public func frame(of step: Step) -> Frame {
    step.loop == nil ? runFrame : step.partOf == nil ? itemFrame : partFrame
  }

  var frames: [Frame] { [runFrame, itemFrame, partFrame] + members.map(\.frame) }

  /// Creates the scope of a run-level step, or of an item's.
  public init(_ state: RunState, item: Item?, now: Instant) {
    run = state.id
    keySeed = state.keySeed
    inputs = state.inputs
    secrets = state.secrets
    clocks = state.clocks
    runFrame = state.frame
    self.item = item?.key
    subject = item?.subject
    // No expression reads it before all parts are done, and with two owners it would be copied for each part.
    itemFrame = item?.withoutCollected.frame ?? []
    self.now = now
  }
}

/// A server's response, or why there is none.
public struct Response: Hashable, Sendable {
  /// HTTP status; 0 if there was no response.
  public let status: Int
  /// Headers in order; names as the server wrote them.
  public let headers: [Header]
  /// The body, limited in size by the transport.
  public let body: [UInt8]
  /// The URL that responded, after redirects.
  public let url: String
  /// Why there was no response.
  public let error: TransportFailure?
  /// Why the transport could not undo the content codings of the body; the body is then as the server sent it.
  public let damage: String?
  /// The redirects that were followed, in order.
  public let hops: [Hop]
  /// When the request was started.
  public let sent: Instant
  /// When the response was complete.
  public let received: Instant

  /// A redirect that was followed.
  public struct Hop: Hashable, Sendable {
    /// The status that redirected.
    public let status: Int
    /// The URL that responded with it.
    public let url: String

    /// Creates a hop.
    public init(status: Int, url: String) { (self.status, self.url) = (status, url) }
  }

  /// A header's name and value.
  public struct Header: Hashable, Sendable, Codable {
    public let name: String
    public let value: String

    /// Creates a header.
    public init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// Creates a response, or the failure to get one.
  public init(
    status: Int, headers: [Header] = [], body: [UInt8] = [], url: String, damage: String? = nil,
    error: TransportFailure? = nil, hops: [Hop] = [], sent: Instant, received: Instant
  ) {
    (self.status, self.hops, self.headers, self.body, self.url) = (status, hops, headers, body, url)
    (self.damage, self.error, self.sent, self.received) = (damage, error, sent, received)
  }

  /// The value of the first header called `name`, ignoring case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Bytes of a body that are read, unless the request sets `max_response`.
  public static let usualLimit = 1 << 20

  /// Whether a response to `method` has a body (RFC 9112 §6.3), regardless of its headers.
  public static func hasBody(_ status: Int, to method: String) -> Bool {
    method != "HEAD" && status != 204 && status != 304 && !(method == "CONNECT" && status < 300)
  }
}

/// Why a transport has no response.
public struct TransportFailure: Error, Hashable, Sendable {
  /// The kind of failure, as `response.error` shows it in expressions.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The name has no address.
    case nameNotResolved = "name-not-resolved"
    /// There is no network, or no resolver that responds; this does not concern the server.
    case networkUnavailable = "network-unavailable"
    /// This process, or the system, has no free file descriptor to connect with.
    case tooManyOpenFiles = "too-many-open-files"
    /// Nothing accepts connections there.
    case connectionRefused = "connection-refused"
    /// The connection broke.
    case connectionLost = "connection-lost"
    /// The timeout expired.
    case timeout
    /// The certificate does not match the host, or is not trusted.
    case tls
    /// The scheme, host or port is invalid.
    case badURL = "bad-url"
    /// The response was larger than the transport allows.
    case responseTooLarge = "answer-too-large"
    /// The body file changed while it was sent, or was deleted.
    case fileChanged = "file-changed"
    /// The body file cannot be read.
    case fileUnreadable = "file-unreadable"
    /// This run must not send the request there: the host is not allowed, a response led into a private
    /// network, or a secret would be sent unencrypted to another machine.
    case notAllowed = "not-allowed"
    /// We stopped the request. Expressions never see this, because an interruption is not a response.
    case interrupted

    /// The kinds that `response.error` shows.
    public static let shown = allCases.filter { $0 != .interrupted }
  }

  /// The kind of failure.
  public let kind: Kind
  /// Details for the user; contains no secret.
  public let message: String
  /// Whether bytes of the request may have reached the server.
  public let mayHaveBeenSent: Bool
  /// Details from the transport in addition to the kind.
  public let circumstance: Circumstance?

  /// A circumstance that decides how, or where, a request is repeated.
  public enum Circumstance: Hashable, Sendable {
    /// The server closed a kept connection before the first byte of a response: most likely it was closing it already.
    case connectionWasStale
    /// The whole request was sent, and the time for the response has expired.
    case responseOverdue
    /// This process may not send to the host.
    case hostNotListed
  }

  /// Creates a failure.
  public init(
    _ kind: Kind, message: String, mayHaveBeenSent: Bool = false, circumstance: Circumstance? = nil
  ) {
    (self.kind, self.message, self.mayHaveBeenSent) = (kind, message, mayHaveBeenSent)
    self.circumstance = circumstance
  }
}

/// An expression that failed on the values it was evaluated with.
public struct EvaluationFailure: Error, Hashable, Sendable {
  /// What went wrong; contains no secret.
  public let message: String
  /// The position of the expression.
  public let location: SourceLocation
  /// Whether the evaluation cost more than its limit.
  package var isTooCostly = false

  /// Creates a failure.
  public init(message: String, location: SourceLocation) {
    (self.message, self.location) = (message, location)
  }
  package init(_ message: String, at location: SourceLocation) {
    (self.message, self.location) = (message, location)
  }

  /// `file:line:column: message`.
  public var failure: Failure { Failure("\(location): \(message)") }
}

/// A request, ready to be sent.
public struct RenderedRequest: Hashable, Sendable {
  public var method: String
  /// The absolute URL.
  public var url: String
  /// Headers in order.
  public var headers: [Response.Header]
  /// The body; empty for an upload, whose body is a file.
  public var body: [UInt8]
  /// Timeout of the exchange; for a transfer, from its hand-over on.
  public var timeout: Duration
  /// Names, in lower case, of headers that must not be sent to another host.
  public var secretHeaders: Set<String>
  /// The header that carries the idempotency key, which means nothing to another host.
  public var keyHeader: String?
  /// The idempotency key, wherever the request carries it.
  public var key: String?
  /// Headers, in lower case, that the author leaves out, so that nothing adds them.
  public var omittedHeaders: Set<String> = []
  /// Most bytes of the response's body; `nil` for the transport's own limit.
  public var maximumResponse: Int64?
  /// Whose cookies it sends and keeps: those of an item, or of the run; `nil` for none.
  public var cookies: String?
  /// Whether anything in the request is secret.
  public var carriesSecret = false
  /// Whether a redirect named the URL.
  public var isRedirected = false
  /// Which redirects are followed; any other is the response.
  public var redirects: RequestTemplate.Redirects = .follow
  /// The hosts whose responses named the URL's host; `nil` if the pipeline or an input names it.
  public var hostNamedBy: [String]?
  /// The signing parameters of the request when it is sent; `nil` if it needs no signature.
  public var signing: RenderedSigning?
  /// The server's time at which the request was signed; `nil` until then.
  public var signed: Instant?
  /// The URL without the signature that ``url`` contains; `nil` if that contains none.
  public var unsignedURL: String?
  /// The version for the user; `nil` if nothing secret is in its URL and its body.
  public var shown: Shown?
  /// Fields that follow the body, which is then sent in chunks (RFC 9112 §7.1).
  public var trailers: [RenderedTrailer] = []
  /// Options for the transfer service; `nil` for a short request.
  public var transfer: TransferSettings?

  /// A request as the user may see it: with `***` in the place of each expression that reads a secret.
  public struct Shown: Hashable, Sendable {
    public let url: String
    public let body: [UInt8]
    /// The texts that expressions derived from secrets, in any form.
    public let secrets: [Value]
  }

  /// Creates a request.
  public init(
    method: String, url: String, headers: [Response.Header] = [], body: [UInt8] = [],
    timeout: Duration = RequestTemplate.defaultTimeout, secretHeaders: Set<String> = [],
    transfer: TransferSettings? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    (self.timeout, self.secretHeaders, self.transfer) = (timeout, secretHeaders, transfer)
  }
}
