import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PipelineCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension TransportFailure {
  /// Puts an error of the client into the port's words.
  ///
  /// Texts of the libraries are not used: some hold headers.
  ///
  /// - Parameters:
  ///   - isSent: whether the head of the request, or of one before it in a chain of redirects, was sent.
  ///   - isLate: whether the time of the request is over.
  init(_ error: any Error, origin: Origin, isSent: Bool, isLate: Bool, limits: Limits) {
    let (kind, message): (Kind, String)
    switch error {
    case let stop as Stop: (kind, message) = Self.words(stop, origin, limits)
    case let failure as NIOConnectionError: (kind, message) = Self.words(failure, origin, limits)
    case let failure as IOError: (kind, message) = Self.words(failure.errnoCode, origin)
    case ChannelError.connectTimeout:
      (kind, message) = (.timeout, Self.noConnection(origin, limits))
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      (kind, message) = isSent ? Self.lost(origin) : (.tls, Self.words(tls: error, origin))
    case is HTTPParserError:
      (kind, message) = (.connectionLost, "\(origin): the answer is cut short or is not HTTP")
    case let failure as HTTPClientError:
      (kind, message) = Self.words(failure, origin, isLate: isLate, limits)
    default: (kind, message) = Self.lost(origin)
    }
    self.init(kind, message: message, mayHaveBeenSent: isSent)
  }

  /// Numbers that messages tell.
  struct Limits {
    let timeout: Duration
    let connectTimeout: Duration
    let maxAnswerBytes: Int
  }

  private static func words(
    _ stop: Stop, _ origin: Origin, _ limits: Limits
  ) -> (Kind, String) {
    switch stop {
    case .interrupted: (.interrupted, "interrupted")
    case .answeredEarly, .sinkFailed: lost(origin)
    case .stalled(let limit): (.timeout, "\(origin): no progress for \(seconds(limit))")
    case .answerTooLarge(let count):
      (
        .answerTooLarge,
        "\(origin): the answer has \(count) bytes or more, the limit is \(limits.maxAnswerBytes)"
      )
    case .fileChanged(let message): (.fileChanged, message)
    case .fileUnreadable(let message): (.fileUnreadable, message)
    }
  }

  private static func words(
    _ failure: NIOConnectionError, _ origin: Origin, _ limits: Limits
  ) -> (Kind, String) {
    for attempt in failure.connectionErrors {
      if let error = attempt.error as? IOError { return words(error.errnoCode, origin) }
    }
    if failure.connectionErrors.isEmpty {
      return (.nameNotResolved, "\(origin): name not resolved")
    }
    return (.timeout, noConnection(origin, limits))
  }

  private static func words(_ code: CInt, _ origin: Origin) -> (Kind, String) {
    switch code {
    case ECONNREFUSED: (.connectionRefused, "\(origin): connection refused")
    case EHOSTUNREACH: (.connectionRefused, "\(origin): no route to host")
    case ENETUNREACH, ENETDOWN: (.connectionRefused, "\(origin): network is unreachable")
    case EADDRNOTAVAIL: (.connectionRefused, "\(origin): no local port is free")
    case ETIMEDOUT: (.timeout, "\(origin): connection timed out")
    case EMFILE, ENFILE: (.connectionRefused, "\(origin): too many files are open")
    default: lost(origin)
    }
  }

  private static func words(
    _ failure: HTTPClientError, _ origin: Origin, isLate: Bool, _ limits: Limits
  ) -> (Kind, String) {
    switch failure {
    case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
      return (.timeout, "\(origin): no answer within \(seconds(limits.timeout))")
    case .cancelled where isLate, .requestStreamCancelled where isLate:
      return (.timeout, "\(origin): no answer within \(seconds(limits.timeout))")
    case .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
      return (.timeout, noConnection(origin, limits))
    case .proxyAuthenticationRequired:
      return (.connectionRefused, "\(origin): the proxy asks for a user and a password")
    case .invalidProxyResponse:
      return (.connectionRefused, "\(origin): the proxy does not connect to it")
    case .alreadyShutdown: return (.interrupted, "the transport is shut down")
    default: return lost(origin)
    }
  }

  private static func words(tls error: any Error, _ origin: Origin) -> String {
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return "\(origin): the certificate is for another host"
    }
    // The libraries give the reason as text alone.
    let text = String(describing: error)
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "\(origin): the certificate is not trusted (unknown authority, or out of date)"
    }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
      return "\(origin): the server does not speak TLS"
    }
    return "\(origin): the TLS handshake failed"
  }

  private static func lost(_ origin: Origin) -> (Kind, String) {
    (.connectionLost, "\(origin): the connection was lost before the answer was complete")
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
