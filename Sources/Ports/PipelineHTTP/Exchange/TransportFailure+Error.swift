import NIOCore
import NIOPosix
import NIOSOCKS
import NIOSSL

extension TransportFailure {
  /// Translates an error into the port's terms; the libraries' texts are not used, because some contain headers.
  init(_ error: any Error, origin: Origin, isSent: Bool, limits: Limits) {
    let (kind, message): (Kind, String)
    switch error {
    case let stop as ExchangeFailure:
      (kind, message) = Self.words(stop, origin, isSent: isSent, limits)
    case let failure as NIOConnectionError: (kind, message) = Self.words(failure, origin, limits)
    case let failure as IOError:
      (kind, message) = isSent ? Self.lost(origin) : Self.words(failure.errnoCode, origin)
    case ChannelError.connectTimeout:
      (kind, message) = (.timeout, Self.noConnection(origin, limits))
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      (kind, message) = isSent ? Self.lost(origin) : (.tls, Self.words(tls: error, origin))
    case let malformed as ResponseParser.Malformed:
      (kind, message) = (
        .connectionLost, "\(origin): the response is not HTTP: \(malformed.reason)"
      )
    case ProxyTunnel.Refusal.authentication(let words):
      (kind, message) = (
        .connectionRefused, "\(origin): the proxy requires a user and a password: \(words)"
      )
    case ProxyTunnel.Refusal.refused(let words):
      (kind, message) = (
        .connectionRefused, "\(origin): the proxy does not connect to it: \(words)"
      )
    case is SOCKSError.ConnectionFailed,
      is SOCKSError.NoValidAuthenticationMethod:
      (kind, message) = (.connectionRefused, "\(origin): the proxy does not connect to it")
    default: (kind, message) = Self.lost(origin)
    }
    // Someone who reads of a refused connection looks for the server, and not for the proxy that refused it.
    let path = limits.proxy.map { " (through the proxy \($0))" } ?? ""
    var circumstance: Circumstance?
    if case ExchangeFailure.connectionWasStale = error { circumstance = .connectionWasStale }
    if case ExchangeFailure.responseOverdue = error { circumstance = .responseOverdue }
    self.init(kind, message: message + path, mayHaveBeenSent: isSent, circumstance: circumstance)
  }

  struct Limits {
    let timeout, connectTimeout: Duration
    let maxResponseBytes: Int
    var proxy: String?
  }

  private static func words(
    _ stop: ExchangeFailure, _ origin: Origin, isSent: Bool, _ limits: Limits
  ) -> (Kind, String) {
    switch stop {
    case .interrupted: (.interrupted, "interrupted")
    case .deadlineExceeded where isSent:
      (.timeout, "\(origin): no response within \(seconds(limits.timeout))")
    case .deadlineExceeded, .connectTimeout: (.timeout, noConnection(origin, limits))
    case .resolverTimeout: (.networkUnavailable, "\(origin): the name resolver does not respond")
    case .connectionNotUsed, .connectionLost, .sinkFailed: lost(origin)
    case .closedBeforeBody:
      (
        .connectionLost,
        "\(origin): the connection was lost after the response, before the server had the whole body"
      )
    case .unsolicitedData:
      (
        .connectionLost,
        "\(origin): the server sent unrequested data, so the response may belong to an earlier request"
      )
    case .connectionWasStale:
      (.connectionLost, "\(origin): the server closed the kept connection before it responded")
    case .responseOverdue(let limit):
      (.timeout, "\(origin): no response within \(seconds(limit)) after the last byte was sent")
    case .stalled(let limit): (.timeout, "\(origin): no progress for \(seconds(limit))")
    case .responseTooLarge(let count):
      (
        .responseTooLarge,
        "\(origin): the response has \(count) bytes or more, above the limit of \(limits.maxResponseBytes); raise it with 'max_response'"
      )
    case .notAllowed(let reason): (.notAllowed, "\(origin): \(reason)")
    case .fileChanged(let message): (.fileChanged, message)
    case .fileUnreadable(let message): (.fileUnreadable, message)
    case .noDescriptor: (.tooManyOpenFiles, "\(origin): too many files are open")
    }
  }

  /// The combined failure of all addresses of a host: the server's own refusal ranks above the network's failure, and our own shortage above both.
  private static func words(
    _ failure: NIOConnectionError, _ origin: Origin, _ limits: Limits
  ) -> (Kind, String) {
    let attempts = failure.connectionErrors.map { attempt -> (Kind, String) in
      guard let error = attempt.error as? IOError else {
        return (.timeout, noConnection(origin, limits))
      }
      // Without an IPv6 address of its own, a system cannot connect from one.
      if error.errnoCode == EADDRNOTAVAIL, attempt.target.protocol == .inet6 {
        return words(ENETUNREACH, origin)
      }
      return words(error.errnoCode, origin)
    }
    if let found = decisive(attempts) { return found }
    switch failure.dnsAError ?? failure.dnsAAAAError {
    case let error as NameResolver.Failure: return words(error, origin)
    case let stop as ExchangeFailure: return words(stop, origin, isSent: false, limits)
    default: break
    }
    return (.nameNotResolved, "\(origin): name not resolved")
  }

  /// The most informative of several addresses' failures; the first if none is.
  static func decisive(_ attempts: [(Kind, String)]) -> (Kind, String)? {
    for kind in [Kind.tooManyOpenFiles, .connectionRefused, .timeout, .networkUnavailable] {
      if let found = attempts.first(where: { $0.0 == kind }) { return found }
    }
    return attempts.first
  }

  /// The meaning of a `getaddrinfo` error: the name does not exist, or this is unknown (RFC 3493 §6.1).
  private static func words(_ failure: NameResolver.Failure, _ origin: Origin) -> (Kind, String) {
    if failure.system == EMFILE || failure.system == ENFILE {
      return (.tooManyOpenFiles, "\(origin): too many files are open")
    }
    switch failure.code {
    case EAI_AGAIN, EAI_FAIL, EAI_SYSTEM, EAI_MEMORY:
      return (.networkUnavailable, "\(origin): the name resolver does not respond")
    default: return (.nameNotResolved, "\(origin): name not resolved")
    }
  }

  private static func words(_ code: CInt, _ origin: Origin) -> (Kind, String) {
    switch code {
    case ECONNREFUSED: (.connectionRefused, "\(origin): connection refused")
    case EACCES, EPERM:
      (.connectionRefused, "\(origin): this system does not permit the connection")
    case EHOSTUNREACH, EHOSTDOWN: (.networkUnavailable, "\(origin): no route to host")
    case ENETUNREACH, ENETDOWN: (.networkUnavailable, "\(origin): network is unreachable")
    // Local ports, like descriptors, belong to this system, and become free again.
    case EADDRNOTAVAIL: (.tooManyOpenFiles, "\(origin): no local port is free")
    case EMFILE, ENFILE: (.tooManyOpenFiles, "\(origin): too many files are open")
    case ENOBUFS, ENOMEM:
      (.tooManyOpenFiles, "\(origin): the system has no memory for a connection")
    case ETIMEDOUT: (.timeout, "\(origin): connection timed out")
    default: lost(origin)
    }
  }

  private static func words(tls error: any Error, _ origin: Origin) -> String {
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return "\(origin): the certificate is for another host"
    }
    // The libraries give the reason only as text.
    let text = String(describing: error)
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "\(origin): the certificate is not trusted (unknown authority, or expired)"
    }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return "\(origin): the server does not speak TLS"
    }
    return "\(origin): the TLS handshake failed"
  }

  private static func lost(_ origin: Origin) -> (Kind, String) {
    (.connectionLost, "\(origin): the connection was lost before the response was complete")
  }

  private static func noConnection(_ origin: Origin, _ limits: Limits) -> String {
    let limit = min(limits.connectTimeout, limits.timeout)
    return "\(origin): no connection within \(seconds(limit))"
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
