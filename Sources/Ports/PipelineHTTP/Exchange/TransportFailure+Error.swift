import NIOCore
import NIOPosix
import NIOSOCKS
import NIOSSL

extension TransportFailure {
  /// Translates an error into the port's terms; the libraries' texts are not used, because some contain headers.
  init(_ error: any Error, origin: Origin, isSent: Bool, limits: Limits) {
    // A report of a refused connection would point to the server, not to the proxy that refused it.
    let path = limits.proxy.map { " (through the proxy \($0))" } ?? ""
    var circumstance: Circumstance?
    if case ExchangeFailure.connectionWasStale = error { circumstance = .connectionWasStale }
    if case ExchangeFailure.responseOverdue = error { circumstance = .responseOverdue }
    let (kind, message) = Self.message(error, origin, isSent: isSent, limits)
    self.init(kind, message: message + path, mayHaveBeenSent: isSent, circumstance: circumstance)
  }

  struct Limits {
    let timeout, connectTimeout: Duration
    let maxResponseBytes: Int
    var proxy: String?
  }

  /// The whole message; only a message about the origin starts with it.
  private static func message(
    _ error: any Error, _ origin: Origin, isSent: Bool, _ limits: Limits
  ) -> (Kind, String) {
    switch error {
    case ExchangeFailure.interrupted: return (.interrupted, "interrupted")
    case ExchangeFailure.fileChanged(let message): return (.fileChanged, message)
    case ExchangeFailure.fileUnreadable(let message): return (.fileUnreadable, message)
    default:
      let (kind, words) = words(error, isSent: isSent, limits)
      return (kind, "\(origin): \(words)")
    }
  }

  private static func words(
    _ error: any Error, isSent: Bool, _ limits: Limits
  ) -> (Kind, String) {
    switch error {
    case let stop as ExchangeFailure: words(stop, isSent: isSent, limits)
    case let failure as NIOConnectionError: words(failure, limits)
    case let failure as IOError: isSent ? lost : words(failure.errnoCode)
    case ChannelError.connectTimeout: noConnection(limits)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      isSent ? lost : (.tls, words(tls: error))
    case let malformed as ResponseParser.Malformed:
      (.connectionLost, "the response is not HTTP: \(malformed.reason)")
    case ProxyTunnel.Refusal.authentication(let words):
      (.connectionRefused, "the proxy requires a user and a password: \(words)")
    case ProxyTunnel.Refusal.refused(let words):
      (.connectionRefused, "the proxy does not connect to it: \(words)")
    case is SOCKSError.ConnectionFailed, is SOCKSError.NoValidAuthenticationMethod:
      (.connectionRefused, "the proxy does not connect to it")
    default: lost
    }
  }

  private static func words(
    _ stop: ExchangeFailure, isSent: Bool, _ limits: Limits
  ) -> (Kind, String) {
    switch stop {
    case .deadlineExceeded where isSent:
      (.timeout, "no response within \(seconds(limits.timeout))")
    case .deadlineExceeded, .connectTimeout: noConnection(limits)
    case .resolverTimeout: (.networkUnavailable, "the name resolver does not respond")
    case .closedBeforeBody:
      (
        .connectionLost,
        "the connection was lost after the response, before the server had the whole body"
      )
    case .unsolicitedData:
      (
        .connectionLost,
        "the server sent unrequested data, so the response may belong to an earlier request"
      )
    case .connectionWasStale:
      (.connectionLost, "the server closed the kept connection before it responded")
    case .responseOverdue(let limit):
      (.timeout, "no response within \(seconds(limit)) after the last byte was sent")
    case .stalled(let limit): (.timeout, "no progress for \(seconds(limit))")
    case .responseTooLarge(let count):
      (
        .responseTooLarge,
        "the response has \(count) bytes or more, above the limit of \(limits.maxResponseBytes); raise it with 'max_response'"
      )
    case .notAllowed(let reason): (.notAllowed, reason)
    case .noDescriptor: tooManyOpenFiles
    case .connectionNotUsed, .connectionLost, .sinkFailed: lost
    // Not about the origin; see above.
    case .interrupted, .fileChanged, .fileUnreadable: lost
    }
  }

  /// The combined failure of all addresses of a host: the server's own refusal ranks above the network's failure, and our own shortage above both.
  private static func words(_ failure: NIOConnectionError, _ limits: Limits) -> (Kind, String) {
    let attempts = failure.connectionErrors.map { attempt -> (Kind, String) in
      guard let error = attempt.error as? IOError else { return noConnection(limits) }
      // Without an IPv6 address of its own, a system cannot connect from one.
      let hasNoAddress = error.errnoCode == EADDRNOTAVAIL && attempt.target.protocol == .inet6
      return words(hasNoAddress ? ENETUNREACH : error.errnoCode)
    }
    if let found = decisive(attempts) { return found }
    return switch failure.dnsAError ?? failure.dnsAAAAError {
    case let error as NameResolver.Failure: words(error)
    case let stop as ExchangeFailure: words(stop, isSent: false, limits)
    default: (.nameNotResolved, "name not resolved")
    }
  }

  /// The most informative of several addresses' failures; the first if none is.
  static func decisive(_ attempts: [(Kind, String)]) -> (Kind, String)? {
    for kind in [Kind.tooManyOpenFiles, .connectionRefused, .timeout, .networkUnavailable] {
      if let found = attempts.first(where: { $0.0 == kind }) { return found }
    }
    return attempts.first
  }

  /// The meaning of a `getaddrinfo` error: the name does not exist, or this is unknown (RFC 3493 §6.1).
  private static func words(_ failure: NameResolver.Failure) -> (Kind, String) {
    if failure.system == EMFILE || failure.system == ENFILE { return tooManyOpenFiles }
    return switch failure.code {
    case EAI_AGAIN, EAI_FAIL, EAI_SYSTEM, EAI_MEMORY:
      (.networkUnavailable, "the name resolver does not respond")
    default: (.nameNotResolved, "name not resolved")
    }
  }

  private static func words(_ code: CInt) -> (Kind, String) {
    switch code {
    case ECONNREFUSED: (.connectionRefused, "connection refused")
    case EACCES, EPERM: (.connectionRefused, "this system does not permit the connection")
    case EHOSTUNREACH, EHOSTDOWN: (.networkUnavailable, "no route to host")
    case ENETUNREACH, ENETDOWN: (.networkUnavailable, "network is unreachable")
    // Local ports, like descriptors, belong to this system, and become free again.
    case EADDRNOTAVAIL: (.tooManyOpenFiles, "no local port is free")
    case EMFILE, ENFILE: tooManyOpenFiles
    case ENOBUFS, ENOMEM: (.tooManyOpenFiles, "the system has no memory for a connection")
    case ETIMEDOUT: (.timeout, "connection timed out")
    default: lost
    }
  }

  private static func words(tls error: any Error) -> String {
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return "the certificate is for another host"
    }
    // The libraries report the reason only as text.
    let text = String(describing: error)
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "the certificate is not trusted (unknown authority, or expired)"
    }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return "the server does not support TLS"
    }
    return "the TLS handshake failed"
  }

  private static var lost: (Kind, String) {
    (.connectionLost, "the connection was lost before the response was complete")
  }

  private static var tooManyOpenFiles: (Kind, String) {
    (.tooManyOpenFiles, "too many files are open")
  }

  private static func noConnection(_ limits: Limits) -> (Kind, String) {
    (.timeout, "no connection within \(seconds(min(limits.connectTimeout, limits.timeout)))")
  }

  private static func seconds(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
