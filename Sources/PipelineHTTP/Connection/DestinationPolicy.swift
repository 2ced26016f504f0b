import NIOCore
import PipelineCore
import Synchronization

/// Which addresses a request may be sent to.
///
/// It is asked about the addresses that a connection is made to, after names were resolved: what a name says later, or says to
/// others, counts for nothing.
struct DestinationPolicy: Sendable {
  /// Whether an answer from the open Internet named the host, which must then be there, too.
  var isOpenOnly = false
  /// Whether a secret is on the way without encryption, and must not leave this machine.
  var isLoopbackOnly = false

  /// Why nothing may be sent to an address; `nil` where it may.
  func refusal(_ kind: AddressKind, at place: String) -> ExchangeFailure? {
    if isLoopbackOnly, kind != .loopback {
      return .notAllowed(
        "a secret would go to another machine without encryption; use https, or allow it with --insecure"
      )
    }
    if isOpenOnly, kind != .open {
      return .notAllowed("an answer from the Internet leads to \(place), which is not part of it")
    }
    return nil
  }

  /// As ``refusal(_:at:)``, of a host that a proxy connects to: what name it resolves to is the proxy's to know.
  func refusal(behindProxy host: String) -> ExchangeFailure? {
    let isHere = host == "localhost" || host.hasSuffix(".localhost")
    let kind = AddressKind(literal: host) ?? (isHere ? .loopback : .open)
    return refusal(kind, at: host)
  }

  /// The addresses that may be connected to.
  ///
  /// - Throws: ``ExchangeFailure/notAllowed(_:)`` where there are some, and none may.
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

/// Where hosts were found to be.
///
/// A host that was on the open Internet once stays there for the life of the process, whatever its name resolves to later.
final class KnownHosts: Sendable {
  private let isOpenByHost = Mutex<[String: Bool]>([:])

  /// A connection to the host was made to an address of the kind.
  func note(_ host: String, _ kind: AddressKind) {
    isOpenByHost.withLock { $0[host] = $0[host] == true || kind == .open }
  }

  /// Whether the host is on the open Internet; `nil` where nobody has connected to it yet.
  func isOpen(_ host: String) -> Bool? { isOpenByHost.withLock { $0[host] } }
}
