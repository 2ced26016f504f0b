/// The kinds of request that the server knows, as faults and journal name them.
public enum RouteKind: String, Sendable, Hashable, CaseIterable {
  /// `POST /v1/login`
  case login
  /// `POST /v1/uploads`
  case allocate
  /// `POST` or `PUT /v1/uploads/{id}/content`
  case content
  /// `GET /v1/uploads/{id}`
  case inspect
  /// `POST /v1/uploads/{id}/finalize`
  case finalize
  /// `DELETE /v1/uploads/{id}`
  case delete
  /// `PUT /v1/files/{name}`
  case storeFile
  /// `GET` or `HEAD /v1/files/{name}`
  case inspectFile

  var needsToken: Bool {
    switch self {
    case .login, .storeFile, .inspectFile: false
    case .allocate, .content, .inspect, .finalize, .delete: true
    }
  }

  var hasLargeBody: Bool { self == .content || self == .storeFile }
}

/// A request's method and path, understood.
enum Route: Hashable {
  case login
  case allocate
  case content(id: String)
  case inspect(id: String)
  case finalize(id: String)
  case delete(id: String)
  case storeFile(name: String)
  case inspectFile(name: String)

  /// What comes of looking a path up.
  enum Lookup: Hashable {
    case found(Route)
    /// The path is known, with these methods.
    case wrongMethod(allowed: String)
    case unknown
  }

  /// Finds the route of a request; `path` is as sent, without the query.
  static func find(method: String, path: String) -> Lookup {
    let segments = path.split(separator: "/", omittingEmptySubsequences: true)
    guard segments.count >= 2, segments[0] == "v1" else { return .unknown }
    switch (segments[1], segments.count) {
    case ("login", 2): return choose(method, ["POST": .login])
    case ("uploads", 2): return choose(method, ["POST": .allocate])
    case ("uploads", 3):
      let id = String(segments[2])
      return choose(method, ["GET": .inspect(id: id), "DELETE": .delete(id: id)])
    case ("uploads", 4):
      let id = String(segments[2])
      if segments[3] == "content" {
        return choose(method, ["POST": .content(id: id), "PUT": .content(id: id)])
      }
      return segments[3] == "finalize" ? choose(method, ["POST": .finalize(id: id)]) : .unknown
    case ("files", 3):
      guard let name = PercentEncoding.decode(segments[2]) else { return .unknown }
      return choose(
        method,
        [
          "PUT": .storeFile(name: name), "GET": .inspectFile(name: name),
          "HEAD": .inspectFile(name: name),
        ])
    default: return .unknown
    }
  }

  private static func choose(_ method: String, _ routes: [String: Route]) -> Lookup {
    routes[method].map(Lookup.found)
      ?? .wrongMethod(allowed: routes.keys.sorted().joined(separator: ", "))
  }

  var kind: RouteKind {
    switch self {
    case .login: .login
    case .allocate: .allocate
    case .content: .content
    case .inspect: .inspect
    case .finalize: .finalize
    case .delete: .delete
    case .storeFile: .storeFile
    case .inspectFile: .inspectFile
    }
  }

  /// The upload that the path names.
  var uploadID: String? {
    switch self {
    case .content(let id), .inspect(let id), .finalize(let id), .delete(let id): id
    case .login, .allocate, .storeFile, .inspectFile: nil
    }
  }
}
