import Synchronization

/// The cookies of items (RFC 6265), each for the scheme, host and port that set it; in memory only, because they are secret.
final class CookieJar: Sendable {
  /// Most items whose cookies are kept: those that were used last.
  static let itemLimit = 4096
  private static let cookieLimit = 50
  private static let byteLimit = 4096

  private struct Cookie {
    let name: String
    let value: String
    let path: String
  }

  private struct Items {
    var cookies: [String: [Origin: [Cookie]]] = [:]
    /// The items, least recently changed first.
    var order: [String] = []
  }

  private let items = Mutex(Items())

  /// The header for a request of the item; `nil` if no cookie belongs to it.
  func header(of item: String, for address: Address) -> Response.Header? {
    let path = address.target.prefix { $0 != "?" }
    let found = items.withLock { $0.cookies[item]?[address.origin] ?? [] }
      .filter { Self.covers($0.path, path) }.sorted { $0.path.utf8.count > $1.path.utf8.count }
    guard !found.isEmpty else { return nil }
    return Response.Header(
      name: "Cookie", value: found.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))
  }

  /// Keeps what a response sets, and drops what it lets expire.
  func keep(_ headers: [Response.Header], from address: Address, of item: String) {
    let texts = headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
    guard !texts.isEmpty else { return }
    items.withLock { items in
      for text in texts where text.utf8.count <= Self.byteLimit {
        guard let (cookie, isExpired) = Self.cookie(text) else { continue }
        var known = items.cookies[item]?[address.origin] ?? []
        known.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        if !isExpired, known.count < Self.cookieLimit { known.append(cookie) }
        items.cookies[item, default: [:]][address.origin] = known
      }
      items.order.removeAll { $0 == item }
      items.order.append(item)
      if items.order.count > Self.itemLimit {
        items.cookies[items.order.removeFirst()] = nil
      }
    }
  }

  /// Domains are ignored, since a cookie never goes to another host.
  private static func cookie(_ text: String) -> (Cookie, isExpired: Bool)? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
    guard let equals = parts[0].firstIndex(of: "=") else { return nil }
    let name = parts[0][..<equals].trimmed
    let value = parts[0][parts[0].index(after: equals)...].trimmed
    guard !name.isEmpty, name.utf8.allSatisfy(HTTPText.isTokenByte),
      value.utf8.allSatisfy(HTTPText.isValueByte)
    else { return nil }
    var path = "/"
    var isExpired = false
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
      guard pair.count == 2 else { continue }
      switch pair[0].lowercased() {
      case "path" where pair[1].hasPrefix("/"): path = String(pair[1])
      case "max-age": isExpired = (Int(pair[1]) ?? 1) <= 0
      case "expires": isExpired = isExpired || pair[1].contains("1970")
      default: break
      }
    }
    return (Cookie(name: String(name), value: String(value), path: path), isExpired)
  }

  /// Whether a cookie's path covers that of a request (RFC 6265 §5.1.4).
  private static func covers(_ path: String, _ request: Substring) -> Bool {
    request == path
      || request.hasPrefix(path) && (path.hasSuffix("/") || request.dropFirst(path.count).first == "/")
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    drop { $0 == " " || $0 == "\t" }.trimmedEnd
  }
}
