/// How an ``HTTPTransport`` connects.
public struct HTTPTransportConfiguration: Sendable {
  /// Timeout for connecting, including TLS.
  public var connectTimeout: Duration = .seconds(10)
  /// Maximum size in bytes of a response's body; a larger response is a failure.
  public var maxResponseBytes = Response.usualLimit
  /// A PEM file with roots to trust in addition to the system's.
  public var caFile: String?
  /// The client's certificate for servers that request one (RFC 8446 §4.4.2); `nil` means none.
  public var clientCertificate: ClientCertificate?
  /// Maximum number of exchanges that the engine has in flight.
  ///
  /// Up to this many never wait for a connection; one more fails at once with ``PipelineCore/TransportFailure/Kind/tooManyOpenFiles``. Idle
  /// connections are closed for those that are needed, so that no more than this many are open.
  public var exchanges = 1024
  /// Maximum number of bytes per second of the bodies of all requests and responses together; `nil` means no limit.
  ///
  /// Transfers wait for it. Short requests are counted and do not wait, so that none exceeds its timeout.
  public var bytesPerSecond: Int64?
  /// Computes the digests that trailers contain; without it,
  /// an upload with such trailers fails before a byte is sent.
  public var digester: (@Sendable ([DigestAlgorithm]) -> any BodyDigester)?
  /// How long an unused connection is kept: one that a router has silently cut loses the next request.
  public var idleTimeout: Duration = .seconds(15)
  public var proxies = ProxySettings()
  /// Hosts that requests may be sent to, including redirects; `nil` means any.
  public var allowedHosts: [HostPattern]?
  /// Whether a secret may be sent over plain HTTP to another machine.
  public var isInsecure = false
  /// Whether bytes of a request may be sent now; asked on an event loop before each write.
  ///
  /// Otherwise the exchange is interrupted, and data that the system has not sent yet is dropped.
  public var maySend: @Sendable () -> Bool = { true }
  /// The value of `User-Agent` if a request does not set it; `nil` omits it.
  public var userAgent: String? = "pipeline"

  /// The defaults.
  public init() {}
}

/// A certificate that identifies the client to a server.
public struct ClientCertificate: Hashable, Sendable {
  /// The PEM file with the certificate, and those of authorities between it and the root.
  public let certificateFile: String
  /// The PEM file with the private key, without a passphrase; may be the same file.
  public let keyFile: String

  /// Names the two files.
  public init(certificateFile: String, keyFile: String) {
    (self.certificateFile, self.keyFile) = (certificateFile, keyFile)
  }
}

/// An invalid configuration.
public struct HTTPConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, for the user; contains no secret.
  public let description: String
}

extension RenderedRequest {
  func responseLimit(_ configuration: HTTPTransportConfiguration) -> Int {
    maximumResponse.map(Int.init(clamping:)) ?? configuration.maxResponseBytes
  }
}
