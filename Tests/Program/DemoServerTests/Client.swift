import DemoServer
import Foundation
import NIOHTTP1
import TestSupport

/// One server's client, which asks with curl: that neither repeats a request nor shares a connection with another.
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

    /// Reads what `curl --include` printed.
    fileprivate init(_ text: String) {
      let end = text.range(of: "\r\n\r\n")
      let lines = text[..<(end?.lowerBound ?? text.endIndex)].components(separatedBy: "\r\n")
      status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      headers = HTTPHeaders(
        lines.dropFirst().map { line in
          let parts = line.split(separator: ":", maxSplits: 1)
          return (String(parts[0]), parts.last?.trimmingCharacters(in: .whitespaces) ?? "")
        })
      body = Data(text[(end?.upperBound ?? text.endIndex)...].utf8)
    }
  }

  /// A connection that ended before the response did.
  struct Cut: Error {}

  /// - Parameter isChunked: Whether the length of the body is not sent in advance.
  func send(
    _ method: HTTPMethod, _ path: String, body: String? = nil, headers: [String: String] = [:],
    isChunked: Bool = false
  ) async throws -> Reply {
    var arguments = [
      "curl", "--silent", "--include", "--path-as-is", "--max-time", "20", "--request",
      method.rawValue,
    ]
    if method == .HEAD { arguments.append("--head") }
    if body != nil { arguments += isChunked ? ["--upload-file", "-"] : ["--data-binary", "@-"] }
    // curl would ask first whether a large body is welcome, and call every other one a form.
    var fields = headers.merging(["Expect": ""]) { given, _ in given }
    if headers["Content-Type"] == nil { fields["Content-Type"] = "" }
    if let token { fields["Authorization"] = "Bearer \(token)" }
    for (name, value) in fields { arguments += ["--header", "\(name): \(value)"] }
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let curl = try CommandRunner(in: directory).start(
      executable: URL(filePath: "/usr/bin/env"), arguments + [server.baseURL + path],
      input: body ?? "")
    let outcome = try await curl.outcome()
    guard outcome.status == 0 else { throw Cut() }
    return Reply(outcome.output)
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

/// Runs `body` with a server that stops afterwards in any case.
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
