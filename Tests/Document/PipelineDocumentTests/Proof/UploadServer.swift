import Basics
import CEL
import PipelineCore
import PipelineSimulator

/// A strict server of upload APIs: sign in, allocate, content, finalize; plain files; forms; signed URLs.
///
/// It refuses malformed requests. Its faults follow a scenario and depend only on how often a route was
/// asked for a name, so that they are the same regardless of the rest of a run.
struct UploadServer: SimulatedServer {
  /// What goes wrong.
  enum Scenario: String, CaseIterable {
    case calm, expiring, revoked, lostAnswers, lostRequests, busy, brokenGateway, gone, refused
    case denied, mismatch, full, crashes, largeFiles
  }

  private struct Upload {
    let name: String
    let size: Int64
    let expires: Instant
    var content: String?
    var isComplete = false
  }

  static let secrets = ["pa55w0rd", "ap1t0k3n", "t0k3n-", "s1g-"]

  let scenario: Scenario
  /// The users' files, which checksums are compared with.
  private let disk: VirtualDisk
  private var tokens: [String: (expires: Instant, uses: Int)] = [:]
  private var uploads: [String: Upload] = [:]
  private var keys: [String: String] = [:]
  private var files: [String: String] = [:]
  private var forms: [String] = []
  private var signatures: [String: Instant] = [:]
  private var counts: [String: Int] = [:]
  private var made = 0
  /// Effects that happened twice and must happen once.
  private(set) var duplicates = 0

  init(_ scenario: Scenario, files: [FileValue]) {
    self.scenario = scenario
    disk = ProofRun.disk(with: files)
  }

  /// Its files, regardless of IDs and order.
  var summary: String {
    let complete = uploads.values.filter(\.isComplete)
      .map { "\($0.name) \($0.size) \($0.content ?? "")" }
    let open = uploads.values.count { !$0.isComplete }
    let stored = files.map { "\($0) = \($1)" }
    return """
      complete \(complete.sorted()), open \(open), files \(stored.sorted()), \
      forms \(forms.sorted()), duplicates \(duplicates)
      """
  }

  // MARK: Requests

  /// The parts of a request.
  private struct Incoming {
    let method: String
    let path: [String]
    let headers: [String: String]
    let text: String
    let json: Value?
    let sha256: String
    let size: Int64
    let now: Instant

    var bearer: String? {
      headers["authorization"].flatMap {
        $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
      }
    }
    func field(_ name: String) -> Value? { json?.mapValue?[.string(name)] }
  }

  mutating func respond(
    to exchange: SimulatedRequest, for command: Command
  ) -> SimulatedResponse {
    let request = exchange.request
    let path = request.url.split(separator: "/").dropFirst(2).map(String.init)
    var headers: [String: String] = [:]
    for header in request.headers { headers[header.name.lowercased()] = header.value }
    let isJSON = headers["content-type"] == "application/json"
    let incoming = Incoming(
      method: request.method, path: path.first == "v1" ? Array(path.dropFirst()) : path,
      headers: headers, text: Self.text(of: exchange.pieces),
      json: isJSON ? try? Value(json: request.body) : nil,
      sha256: (try? disk.digest(of: Body(exchange.pieces), .sha256)) ?? "",
      size: exchange.bodySize, now: exchange.at)
    let (route, subject) = Self.route(of: incoming, uploads)
    counts["\(route) \(subject)", default: 0] += 1
    var response = faulty(incoming, route, subject, times: counts["\(route) \(subject)"] ?? 1)
    response.latency =
      scenario == .expiring ? .seconds(route == "content" ? 25 : 8) : .seconds(1)
    return response
  }

  /// A body as text, with `<name offset+length>` for each range of a user's file.
  private static func text(of pieces: [Body.Piece]) -> String {
    pieces.map { piece in
      switch piece {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file(let file, let offset, let length): "<\(file.name) \(offset)+\(length)>"
      }
    }.joined()
  }

  /// The kind of request, and its subject.
  private static func route(
    of request: Incoming, _ uploads: [String: Upload]
  ) -> (route: String, subject: String) {
    let path = request.path
    switch (path.first, path.count) {
    case ("login", 1), ("uploads", 1), ("sign", 1):
      return (path[0], request.field("name")?.stringValue ?? "")
    case ("uploads", 2...):
      let name = uploads[path[1]]?.name ?? path[1]
      return (path.count > 2 ? path[2] : request.method, name)
    case ("files", 1): return ("form", String(request.text.drop { $0 != "<" }))
    default: return ("content", path.last ?? "")
    }
  }

  /// The answer with the scenario's faults before and after.
  private mutating func faulty(
    _ request: Incoming, _ route: String, _ subject: String, times: Int
  ) -> SimulatedResponse {
    let isFirst = times == 1
    let isContent = route == "content" || route == "form"
    switch scenario {
    case .lostRequests where isFirst: return lost
    case .busy where times <= 2:
      return SimulatedResponse(
        status: times == 1 ? 503 : 429, headers: [.init(name: "Retry-After", value: "3")])
    case .refused where isContent && subject.hasPrefix("2.jpg"):
      return SimulatedResponse(status: 400)
    case .denied where route == "login" || route == "sign" || route == "form":
      return SimulatedResponse(status: route == "sign" ? 401 : 403)
    case .mismatch where isContent && isFirst: return SimulatedResponse(status: 422)
    case .full where isContent && isFirst: return SimulatedResponse(status: 507)
    case .gone where isFirst && (route == "content" || route == "finalize"):
      guard request.path.count > 1, uploads.removeValue(forKey: request.path[1]) != nil else {
        return SimulatedResponse(status: 403)
      }
      return SimulatedResponse(status: route == "content" ? 404 : 410)
    default: break
    }
    let reply = handle(request)
    if isFirst, scenario == .lostAnswers { return lost }
    if isFirst, scenario == .brokenGateway {
      return SimulatedResponse(status: 502, text: "<html>bad gateway</html>")
    }
    return reply
  }

  private var lost: SimulatedResponse {
    SimulatedResponse(
      failure: TransportFailure(.connectionLost, message: "lost", mayHaveBeenSent: true))
  }

  // MARK: Routes

  private mutating func handle(_ request: Incoming) -> SimulatedResponse {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case ("POST", "login", 1): return login(request)
    case ("POST", "uploads", 1): return allocate(request)
    case (_, "uploads", 2): return upload(request, path[1])
    case ("POST", "uploads", 3), ("PUT", "uploads", 3):
      return path[2] == "content" ? content(request, path[1]) : finalize(request, path[1])
    case ("POST", "files", 1): return form(request)
    case ("POST", "sign", 1): return sign(request)
    case ("PUT", "files", 2), ("PUT", _, 1): return file(request, path[path.count - 1])
    case ("PUT", "signed", 3): return signed(request, path[1], path[2])
    default: return SimulatedResponse(status: 405)
    }
  }

  private mutating func login(_ request: Incoming) -> SimulatedResponse {
    guard request.field("user") == "demo", request.field("password") == "pa55w0rd" else {
      return SimulatedResponse(status: 401)
    }
    made += 1
    let life: Int64 = scenario == .expiring ? 100 : 3600
    tokens["t0k3n-\(made)"] = (request.now + .seconds(life), 0)
    return SimulatedResponse(text: #"{"access_token": "t0k3n-\#(made)", "expires_in": \#(life)}"#)
  }

  /// Whether the request carries a token that lives.
  private mutating func isAuthorized(_ request: Incoming) -> Bool {
    guard let bearer = request.bearer, let token = tokens[bearer], request.now < token.expires
    else { return false }
    tokens[bearer]?.uses += 1
    return scenario != .revoked || token.uses < 4
  }

  private mutating func allocate(_ request: Incoming) -> SimulatedResponse {
    guard isAuthorized(request) else { return SimulatedResponse(status: 401) }
    guard let name = request.field("name")?.stringValue,
      case .int(let size)? = request.field("size")
    else { return SimulatedResponse(status: 422) }
    let key = request.headers["idempotency-key"]
    let known = key.flatMap { keys[$0] }.flatMap { id in uploads[id].map { (id, $0) } }
    let life: Duration = .seconds(scenario == .expiring ? 90 : 3600)
    let (id, upload) =
      known ?? ("up-\(made)", Upload(name: name, size: size, expires: request.now + life))
    if known == nil { made += 1 }
    uploads[id] = upload
    if let key { keys[key] = id }
    return SimulatedResponse(
      status: 201,
      text: #"{"id": "\#(id)", "expires_at": "\#(upload.expires.timestamp)"}"#)
  }

  private mutating func find(_ request: Incoming, _ id: String) -> (Upload?, SimulatedResponse) {
    guard isAuthorized(request) else { return (nil, SimulatedResponse(status: 401)) }
    guard let upload = uploads[id] else { return (nil, SimulatedResponse(status: 404)) }
    guard upload.isComplete || request.now < upload.expires else {
      uploads[id] = nil
      return (nil, SimulatedResponse(status: 410))
    }
    return (upload, SimulatedResponse())
  }

  private mutating func upload(_ request: Incoming, _ id: String) -> SimulatedResponse {
    let (found, refusal) = find(request, id)
    guard let found else { return refusal }
    switch request.method {
    case "GET":
      return SimulatedResponse(text: #"{"state": "\#(found.isComplete ? "complete" : "open")"}"#)
    case "DELETE":
      if found.isComplete { return SimulatedResponse(status: 409) }
      uploads[id] = nil
      return SimulatedResponse(status: 204)
    default: return SimulatedResponse(status: 405)
    }
  }

  private mutating func content(_ request: Incoming, _ id: String) -> SimulatedResponse {
    let (found, refusal) = find(request, id)
    guard let found else { return refusal }
    guard !found.isComplete else { return SimulatedResponse(status: 409) }
    let bytes = "<\(found.name) 0+\(found.size)>"
    let file = FileValue(path: "/in/\(found.name)", name: found.name, size: found.size, modified: 0)
    let sha256 = (try? disk.digest(of: Body(file), .sha256)) ?? ""
    if request.method == "PUT" {
      guard request.text == bytes else { return SimulatedResponse(status: 422) }
    } else {
      let parts = [
        "name=\"name\"\r\n\r\n\(found.name)\r\n", "name=\"sha256\"\r\n\r\n\(sha256)\r\n",
        "name=\"file\"; filename=\"\(found.name)\"",
      ]
      guard request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true,
        parts.allSatisfy(request.text.contains), request.text.contains("\r\n\r\n\(bytes)\r\n")
      else { return SimulatedResponse(status: 422) }
    }
    uploads[id]?.content = bytes
    return SimulatedResponse()
  }

  private mutating func finalize(_ request: Incoming, _ id: String) -> SimulatedResponse {
    let (found, refusal) = find(request, id)
    guard let found else { return refusal }
    if found.isComplete { duplicates += 1 }
    guard request.method == "POST", found.content != nil, !found.isComplete else {
      return SimulatedResponse(status: 409)
    }
    uploads[id]?.isComplete = true
    return SimulatedResponse()
  }

  private mutating func file(_ request: Incoming, _ name: String) -> SimulatedResponse {
    let sum = request.headers["x-checksum-sha256"]
    guard sum == nil || sum == request.sha256 else { return SimulatedResponse(status: 422) }
    files[name] =
      "\(request.text) \(request.headers["x-item"] ?? "") \(sum == nil ? "" : "checked")"
    return SimulatedResponse(status: 201)
  }

  private mutating func form(_ request: Incoming) -> SimulatedResponse {
    guard request.bearer == "ap1t0k3n" else { return SimulatedResponse(status: 401) }
    let parts = ["name=\"name\"\r\n\r\n", "name=\"file\"; filename=\""]
    guard request.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true,
      parts.allSatisfy(request.text.contains)
    else { return SimulatedResponse(status: 422) }
    if let key = request.headers["idempotency-key"] {
      guard keys[key] == nil else { return SimulatedResponse(text: #"{"id": "form"}"#) }
      keys[key] = "form"
    }
    let boundary = request.text.prefix { $0 != "\r\n" }
    forms.append(request.text.replacing(boundary, with: "--"))
    return SimulatedResponse(status: 201, text: #"{"id": "form"}"#)
  }

  private mutating func sign(_ request: Incoming) -> SimulatedResponse {
    guard request.bearer == "ap1t0k3n" else { return SimulatedResponse(status: 401) }
    guard let name = request.field("name")?.stringValue, case .int? = request.field("size") else {
      return SimulatedResponse(status: 422)
    }
    made += 1
    signatures["s1g-\(made)"] = request.now + .seconds(15 * 60)
    return SimulatedResponse(text: #"{"url": "http://server/signed/s1g-\#(made)/\#(name)"}"#)
  }

  private mutating func signed(
    _ request: Incoming, _ signature: String, _ name: String
  ) -> SimulatedResponse {
    guard let end = signatures[signature], request.now < end else {
      return SimulatedResponse(status: 403)
    }
    guard request.headers["authorization"] == nil else { return SimulatedResponse(status: 400) }
    files[name] = request.text
    return SimulatedResponse(headers: [.init(name: "ETag", value: "\"\(name)\"")])
  }
}

extension SimulatedResponse {
  fileprivate init(status: Int = 200, text: String) {
    self.init(status: status, body: Array(text.utf8))
  }
}
