/// How an ``HTTPTransport`` connects.
public struct HTTPTransportConfiguration: Sendable {
  /// Time a connection may take, TLS included.
  public var connectTimeout: Duration = .seconds(10)
  /// Bytes of an answer's body that are taken; a larger answer is a failure.
  public var maxResponseBytes = 1 << 20
  /// A PEM file with roots that are trusted beside the system's.
  public var caFile: String?
  /// Exchanges that the engine has under way at once, at most.
  ///
  /// Up to this many never wait for a connection; one more fails at once as ``PipelineCore/TransportFailure/Kind/tooManyOpenFiles``. Idle
  /// connections give way to those that are needed, so that no more than this many are open.
  public var exchanges = 1024
  /// Time an unused connection is kept.
  ///
  /// Short, as a connection that a router or a sleep of the machine has cut without a word
  /// is noticed only when the next request is lost on it.
  public var idleTimeout: Duration = .seconds(15)
  /// Proxies.
  public var proxies = ProxySettings()
  /// Hosts that something may be sent to, redirects included; `nil` is any.
  public var allowedHosts: [HostPattern]?
  /// Whether a secret may go over plain HTTP to another machine.
  public var isInsecure = false
  /// What `User-Agent` says where a request has none; `nil` sends none.
  public var userAgent: String? = "pipeline"

  /// The defaults.
  public init() {}
}

/// A configuration that cannot work.
public struct HTTPConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, for people; holds no secret.
  public let description: String
}
