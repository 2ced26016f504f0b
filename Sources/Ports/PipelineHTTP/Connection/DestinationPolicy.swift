import NIOCore
import Synchronization

/// Which addresses a request may be sent to: the addresses after name resolution are checked.
struct DestinationPolicy: Sendable {
  /// Whether a response from the Internet named the host, which must then be on the Internet, too.
  var isOpenOnly = false
  /// Whether a secret would be sent without encryption, and must not leave this machine.
  var isLoopbackOnly = false

  /// Why nothing may be sent to an address; `nil` if it is allowed.
  func refusal(_ kind: AddressKind, at place: String) -> ExchangeFailure? {
    if isLoopbackOnly, kind != .loopback {
      return .notAllowed(
        "a secret would be sent to another machine without encryption; use https, or allow it with --insecure"
      )
    }
    if isOpenOnly, kind != .open {
      return .notAllowed("a response from the Internet leads to \(place), which is not part of it")
    }
    return nil
  }

  /// As ``refusal(_:at:)``, for a host that a proxy connects to: only the proxy resolves the name.
  func refusal(behindProxy host: String) -> ExchangeFailure? {
    let isHere = host == "localhost" || host.hasSuffix(".localhost")
    let kind = AddressKind(literal: host) ?? (isHere ? .loopback : .open)
    return refusal(kind, at: host)
  }

  /// The addresses that may be connected to.
  func permitted(_ addresses: NameResolver.Addresses) throws -> NameResolver.Addresses {
    var refused: ExchangeFailure?
    func isPermitted(_ address: SocketAddress) -> Bool {
      let refusal = refusal(AddressKind(address), at: address.ipAddress ?? "an address")
      refused = refused ?? refusal
      return refusal == nil
    }
    let permitted = NameResolver.Addresses(
      v4: addresses.v4.filter(isPermitted), v6: addresses.v6.filter(isPermitted))
    if let refused, permitted.v4.isEmpty, permitted.v6.isEmpty { throw refused }
    return permitted
  }
}

/// Where hosts have been found; a host that was on the Internet once stays there for the process's lifetime,
/// even if its name resolves to another address later.
final class KnownHosts: Sendable {
  private let isOpenByHost = Mutex<[String: Bool]>([:])

  func note(_ host: String, _ kind: AddressKind) {
    isOpenByHost.withLock { $0[host] = $0[host] == true || kind == .open }
  }

  /// Whether the host is on the Internet; `nil` if there has been no connection to it yet.
  func isOpen(_ host: String) -> Bool? { isOpenByHost.withLock { $0[host] } }
}
