import Basics

/// Where a response leads its request (RFC 9110 §15.4): the only rule for it, in runs, tests and simulations.
///
/// A redirect is followed if the request does not change and the author allows it: 307 and 308 keep method and body, 301 and 302
/// only those of GET and HEAD. Everything else is the response, which the author's `on` may match: a request whose method or body
/// was changed on the way has not been carried out.
public enum Redirection {
  /// Maximum number of redirects followed per request; a further one is the response.
  public static let limit = 5

  /// The request to send next; `nil` if `response` is the response to `request`.
  ///
  /// Credentials are never sent to another origin,
  /// and a body and its idempotency key only to a host that the author names.
  public static func next(
    after response: Response, to request: RenderedRequest, hasFile: Bool
  ) -> RenderedRequest? {
    // A signature is valid for one URL.
    guard keepsRequest(response.status, request.method), request.redirects != .forbid,
      request.signing == nil, let target = target(of: response, to: request.url),
      let origin = try? Address(request.url).origin,
      let destination = try? Address(target).origin, destination.isTLS || !origin.isTLS
    else { return nil }
    var next = request
    next.url = target
    next.isRedirected = true
    guard destination != origin else { return next }
    let hasBody = hasFile || !request.body.isEmpty
    var isNamed = false
    if case .to(let hosts) = request.redirects {
      isNamed = hosts.contains { $0.covers(destination) }
    }
    guard isNamed || (request.redirects == .follow && !hasBody) else { return nil }
    dropCredentials(of: &next, keepsKey: isNamed)
    next.carriesSecret = isNamed && hasBody && request.carriesSecret
    next.hostNamedBy = isNamed ? nil : [origin.host]
    return next
  }

  /// The URL in the header `Location`, absolute; `nil` for a response that leads nowhere.
  public static func target(of response: Response, to url: String) -> String? {
    guard (300..<400).contains(response.status), let location = response.header("location")
    else { return nil }
    return URIReference(url).resolving(URIReference(location)).text
  }

  /// What a message says of a redirect that is not followed, without its query; empty for another response.
  public static func note(of response: Response, shown: (String) -> String = { $0 }) -> String {
    guard let target = target(of: response, to: response.url) else { return "" }
    return ", a redirect to '\(shown(address(target)).visibleLine)' that is not followed"
  }

  /// A server's URL without its query, which may be a signature.
  public static func address(_ url: String) -> String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }

  private static func keepsRequest(_ status: Int, _ method: String) -> Bool {
    switch status {
    // Google Cloud Storage sends a 308 without `Location` to ask for the rest of an upload: this is not a redirect.
    case 307, 308: true
    case 301, 302: ["GET", "HEAD"].contains(method.uppercased())
    default: false
    }
  }

  /// Once removed, they stay removed, even if a later redirect leads back.
  private static func dropCredentials(of request: inout RenderedRequest, keepsKey: Bool) {
    var dropped = request.secretHeaders.union([
      "authorization", "proxy-authorization", "cookie", "host",
    ])
    let key = request.keyHeader ?? "idempotency-key"
    if keepsKey { dropped.remove(key) } else { dropped.insert(key) }
    request.headers.removeAll { dropped.contains($0.name.lowercased()) }
  }
}
