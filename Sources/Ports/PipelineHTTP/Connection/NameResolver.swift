import NIOCore
import NIOPosix
import Synchronization

/// Asks the system for the addresses of names, on its own threads, once for concurrent requests; keeps the reason if there are none.
final class NameResolver: Sendable {
  struct Addresses: Sendable {
    var v4: [SocketAddress] = []
    var v6: [SocketAddress] = []
  }

  struct Failure: Error, Hashable {
    let code: CInt
    /// The system's error, if the resolver could not work at all.
    let system: CInt
  }

  private struct Lookup: Hashable {
    let host: String
    let port: Int
  }

  private let threads: NIOThreadPool
  private let waiting = Mutex<[Lookup: [EventLoopPromise<Addresses>]]>([:])
  private let lookUp: @Sendable (String, Int) -> Result<Addresses, Failure>

  init(lookUp: @escaping @Sendable (String, Int) -> Result<Addresses, Failure> = system) {
    self.lookUp = lookUp
    threads = NIOThreadPool(numberOfThreads: 4)
    threads.start()
  }

  /// Accepts no more look-ups.
  func shutdown() { threads.shutdownGracefully { _ in } }

  func addresses(of host: String, port: Int, on loop: any EventLoop) -> EventLoopFuture<Addresses> {
    if let address = try? SocketAddress(ipAddress: host, port: port) {
      return loop.makeSucceededFuture(
        host.contains(":") ? Addresses(v6: [address]) : Addresses(v4: [address]))
    }
    let question = Lookup(host: host, port: port)
    let promise = loop.makePromise(of: Addresses.self)
    let isFirst = waiting.withLock { waiting in
      waiting[question, default: []].append(promise)
      return waiting[question]?.count == 1
    }
    if isFirst {
      threads.submit { state in
        let result: Result<Addresses, Failure> =
          switch state {
          case .active: self.lookUp(host, port)
          case .cancelled: .failure(Failure(code: EAI_AGAIN, system: 0))
          }
        let promises = self.waiting.withLock { $0.removeValue(forKey: question) } ?? []
        for promise in promises { promise.completeWith(result.mapError { $0 }) }
      }
    }
    return promise.futureResult
  }

  /// Asks the system; blocks.
  @Sendable static func system(_ host: String, _ port: Int) -> Result<Addresses, Failure> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    errno = 0
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0
    else { return .failure(Failure(code: code, system: code == EAI_SYSTEM ? errno : exhaustion())) }
    defer { freeaddrinfo(list) }
    var addresses = Addresses()
    var next = list
    while let entry = next {
      switch SocketAddress(entry.pointee, host: host) {
      case .v4(let address)?: addresses.v4.append(.v4(address))
      case .v6(let address)?: addresses.v6.append(.v6(address))
      default: break
      }
      next = entry.pointee.ai_next
    }
    return .success(addresses)
  }

  /// `EMFILE` or `ENFILE` if no file can be opened, otherwise 0: a resolver that cannot open files returns any error code.
  private static func exhaustion() -> CInt {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }
}

/// One look-up, in the form that NIO's connecting needs (RFC 8305).
final class NameResolution: Resolver, @unchecked Sendable {
  private let addresses: EventLoopFuture<NameResolver.Addresses>
  /// Whether the resolver has responded; read on the loop of the connection.
  private(set) var isAnswered = false

  init(_ addresses: EventLoopFuture<NameResolver.Addresses>) {
    self.addresses = addresses
    addresses.whenComplete { _ in self.isAnswered = true }
  }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    addresses.map { $0.v4 }
  }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    addresses.map { $0.v6 }
  }

  func cancelQueries() {}
}
