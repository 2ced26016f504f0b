/// The kinds of request that the server knows, as named in faults and in the journal.
public enum RouteKind: String, Sendable, Hashable, CaseIterable {
  /// `POST /v1/login`
  case login
  /// `POST /v1/uploads`
  case allocate
  /// `POST` or `PUT /v1/uploads/{id}/content`
  case content
  /// `GET` or `HEAD /v1/uploads/{id}/content`
  case download
  /// `GET /v1/uploads/{id}`
  case inspect
  /// `POST /v1/uploads/{id}/finalize`
  case finalize
  /// `POST /v1/finalize`
  case finalizeAll
  /// `DELETE /v1/uploads/{id}`
  case delete
  /// `PUT /v1/files/{name}`
  case storeFile
  /// `GET` or `HEAD /v1/files/{name}`
  case inspectFile

  var needsToken: Bool {
    switch self {
    case .login, .storeFile, .inspectFile: false
    case .allocate, .content, .download, .inspect, .finalize, .finalizeAll, .delete: true
    }
  }

  var hasLargeBody: Bool { self == .content || self == .storeFile }
}

struct Route: Hashable {
  let kind: RouteKind
  /// The upload's ID or the file's name; empty if the path has none.
  let name: String

  init(_ kind: RouteKind, _ name: String = "") { (self.kind, self.name) = (kind, name) }

  enum Lookup: Hashable {
    case found(Route)
    /// The path is known, but only with these methods.
    case wrongMethod(allowed: String)
    case unknown
  }

  /// Finds the route of a request; `path` is as sent, without the query.
  static func find(method: String, path: String) -> Lookup {
    let segments = path.split(separator: "/", omittingEmptySubsequences: true)
    guard segments.count >= 2, segments[0] == "v1" else { return .unknown }
    switch (segments[1], segments.count) {
    case ("login", 2):
      return method == "POST" ? .found(Route(.login)) : .wrongMethod(allowed: "POST")
    case ("finalize", 2):
      return method == "POST" ? .found(Route(.finalizeAll)) : .wrongMethod(allowed: "POST")
    case ("uploads", 2):
      return method == "POST" ? .found(Route(.allocate)) : .wrongMethod(allowed: "POST")
    case ("uploads", 3): return findUpload(method, id: String(segments[2]))
    case ("uploads", 4): return findPart(method, id: String(segments[2]), part: segments[3])
    case ("files", 3):
      guard
        let name = PercentEncoding.decode(segments[2].utf8)
          .flatMap({ String(validating: $0, as: UTF8.self) })
      else { return .unknown }
      return findFile(method, name: name)
    default: return .unknown
    }
  }

  private static func findUpload(_ method: String, id: String) -> Lookup {
    switch method {
    case "GET": .found(Route(.inspect, id))
    case "DELETE": .found(Route(.delete, id))
    default: .wrongMethod(allowed: "DELETE, GET")
    }
  }

  private static func findPart(_ method: String, id: String, part: Substring) -> Lookup {
    switch (part, method) {
    case ("content", "POST"), ("content", "PUT"): .found(Route(.content, id))
    case ("content", "GET"), ("content", "HEAD"): .found(Route(.download, id))
    case ("content", _): .wrongMethod(allowed: "GET, HEAD, POST, PUT")
    case ("finalize", "POST"): .found(Route(.finalize, id))
    case ("finalize", _): .wrongMethod(allowed: "POST")
    default: .unknown
    }
  }

  private static func findFile(_ method: String, name: String) -> Lookup {
    switch method {
    case "PUT": .found(Route(.storeFile, name))
    case "GET", "HEAD": .found(Route(.inspectFile, name))
    default: .wrongMethod(allowed: "GET, HEAD, PUT")
    }
  }

  var uploadID: String? {
    switch kind {
    case .content, .download, .inspect, .finalize, .delete: name
    case .login, .allocate, .finalizeAll, .storeFile, .inspectFile: nil
    }
  }
}
