import AsyncHTTPClient
import DemoServer
import Foundation
import NIOCore
import NIOHTTP1

/// A plain HTTP client for one server, and the flow of an upload in a few words.
struct Client: Sendable {
  let server: DemoServer
  var token: String?

  struct Reply: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data

    subscript(_ member: String) -> String? {
      let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
      return object?[member].map { "\($0)" }
    }
  }

  func send(
    _ method: HTTPMethod, _ path: String, body: String? = nil, headers: [String: String] = [:]
  ) async throws -> Reply {
    try await send(
      method, path, content: body.map { .bytes(ByteBuffer(string: $0)) }, headers: headers)
  }

  func send(
    _ method: HTTPMethod, _ path: String, content: HTTPClientRequest.Body?,
    headers: [String: String] = [:]
  ) async throws -> Reply {
    var request = HTTPClientRequest(url: server.baseURL + path)
    request.method = method
    request.body = content
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
    let bytes = try await response.body.collect(upTo: 1 << 20)
    return Reply(
      status: Int(response.status.code), headers: response.headers,
      body: Data(bytes.readableBytesView))
  }

  func signedIn() async throws -> Client {
    let reply = try await send(.POST, "/v1/login", body: #"{"user":"demo","password":"demo"}"#)
    return Client(server: server, token: reply["access_token"])
  }

  /// The new upload's id.
  func allocate(_ name: String, size: Int, key: String? = nil) async throws -> String {
    let reply = try await send(
      .POST, "/v1/uploads", body: #"{"name":"\#(name)","size":\#(size)}"#,
      headers: key.map { ["Idempotency-Key": $0] } ?? [:])
    return reply["id"] ?? "none (\(reply.status))"
  }
}

/// Runs `body` with a server that stops afterwards, whatever happens.
func withServer(
  _ configure: (inout DemoServer.Configuration) -> Void = { _ in },
  _ body: (DemoServer, Client) async throws -> Void
) async throws {
  var configuration = DemoServer.Configuration()
  configure(&configuration)
  let server = try await DemoServer.start(configuration)
  do {
    try await body(server, Client(server: server).signedIn())
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// An empty folder that is removed afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
  let path = NSTemporaryDirectory() + "demo-server-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: path) }
  try await body(path)
}
