/// The kinds of request that the server supports, as named in faults and in the journal.
package enum RouteKind: String, Sendable, Hashable, CaseIterable {
  case login, allocate, content, download, inspect, finalize, finalizeAll, delete
  case storeFile, inspectFile

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
  /// The upload's ID or the file's name; empty if the path does not contain it.
  let name: String

  init(_ kind: RouteKind, _ name: String = "") { (self.kind, self.name) = (kind, name) }

  enum Lookup: Hashable {
    case found(Route)
    /// The path is known, but only with these methods.
    case wrongMethod(allowed: String)
    case unknown
  }

  /// What follows `/v1`, with `*` for the name, and the methods in alphabetical order.
  private static let table: [(path: [Substring], kinds: KeyValuePairs<String, RouteKind>)] = [
    (["login"], ["POST": .login]),
    (["uploads"], ["POST": .allocate]),
    (["uploads", "*"], ["DELETE": .delete, "GET": .inspect]),
    (
      ["uploads", "*", "content"],
      ["GET": .download, "HEAD": .download, "POST": .content, "PUT": .content]
    ),
    (["uploads", "*", "finalize"], ["POST": .finalize]),
    (["finalize"], ["POST": .finalizeAll]),
    (["files", "*"], ["GET": .inspectFile, "HEAD": .inspectFile, "PUT": .storeFile]),
  ]

  /// Finds the route of a request; `path` is as sent, without the query.
  static func find(method: String, path: String) -> Lookup {
    let segments = path.split(separator: "/", omittingEmptySubsequences: true)
    let rest = segments.dropFirst()
    let entry = table.first { entry in
      entry.path.count == rest.count
        && zip(entry.path, rest).allSatisfy { $0 == "*" || $0 == $1 }
    }
    guard segments.first == "v1", let entry else { return .unknown }
    var name = rest.count > 1 ? String(segments[2]) : ""
    if segments[1] == "files" {
      guard
        let decoded = PercentEncoding.decode(name.utf8)
          .flatMap({ String(validating: $0, as: UTF8.self) })
      else { return .unknown }
      name = decoded
    }
    return entry.kinds.first { $0.key == method }.map { .found(Route($0.value, name)) }
      ?? .wrongMethod(allowed: entry.kinds.map(\.key).joined(separator: ", "))
  }

  var uploadID: String? {
    switch kind {
    case .content, .download, .inspect, .finalize, .delete: name
    case .login, .allocate, .finalizeAll, .storeFile, .inspectFile: nil
    }
  }
}
