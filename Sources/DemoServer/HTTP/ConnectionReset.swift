#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import NIOCore

enum ConnectionReset {
  /// Closes with a TCP reset: a linger time of zero makes the system discard unsent data.
  static func reset(_ channel: any Channel) async {
    if let socket = channel as? any SocketOptionProvider {
      try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try? await channel.close(mode: .all)
  }
}
