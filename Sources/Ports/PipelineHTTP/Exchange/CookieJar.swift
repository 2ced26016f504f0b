import Synchronization

/// The cookies of items (RFC 6265), each for the scheme, host and port that set it; in memory only, because they are secret.
///
/// `Domain` and `Path` are ignored: a cookie is never sent to another origin,
/// and an item's requests to an origin belong together.
final class CookieJar: Sendable {
  private struct Place: Hashable {
    let item: String
    let origin: Origin
  }

  private static let placeLimit = 10_000
  private static let cookieLimit = 50
  private static let byteLimit = 4096

  private let cookies = Mutex<[Place: [String: Substring]]>([:])

  /// The request with the cookies of its item, unless its author sets them.
  func added(to request: RenderedRequest, for origin: Origin) -> RenderedRequest {
    guard let item = request.cookies,
      let found = cookies.withLock({ $0[Place(item: item, origin: origin)] }), !found.isEmpty,
      !request.headers.contains(where: { $0.name.lowercased() == "cookie" })
    else { return request }
    var sent = request
    let pairs = found.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    sent.headers.append(.init(name: "Cookie", value: pairs.joined(separator: "; ")))
    return sent
  }

  /// Keeps the cookies that a response sets, and drops those that it lets expire.
  func keep(_ headers: [Response.Header], of item: String?, from origin: Origin) {
    guard let item else { return }
    for header in headers where header.name.lowercased() == "set-cookie" {
      let parts = header.value.split(separator: ";").map(\.trimmed)
      guard header.value.utf8.count <= Self.byteLimit, let pair = parts.first,
        let equals = pair.firstIndex(of: "="), case let name = pair[..<equals].trimmed,
        !name.isEmpty, name.utf8.allSatisfy(\.isTokenPart)
      else { continue }
      let isExpired = parts.dropFirst().contains { $0.lowercased().hasPrefix("max-age=0") }
      cookies.withLock { cookies in
        // The transport is not informed when an item ends.
        if cookies.count >= Self.placeLimit { cookies = [:] }
        var known = cookies[Place(item: item, origin: origin)] ?? [:]
        known[String(name)] = isExpired ? nil : pair[pair.index(after: equals)...].trimmed
        guard known.count <= Self.cookieLimit else { return }
        cookies[Place(item: item, origin: origin)] = known
      }
    }
  }
}
