import PipelineCore

/// An ideal server.
public struct ServerModel: Hashable, Sendable {
  /// An ideal server.
  public init() {}
}

extension FunctionServer {
  static let interim = FunctionServer { exchange, _ in
    let expiry = (exchange.at + .seconds(3600)).description
    let json = """
      {"access_token":"t\(exchange.id)","expires_in":3600,"id":"u\(exchange.id)",\
      "expires_at":"\(expiry)","state":"complete"}
      """
    return Reply(
      headers: [.init(name: "Content-Type", value: "application/json")], body: Array(json.utf8))
  }
}
