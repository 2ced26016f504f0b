import CEL

/// Removes secrets from the shown or stored parts of an exchange: the run's own, and credentials recognized by name.
public struct SecretCover: Sendable {
  private let redaction: Redaction
  private let hiddenHeaders: Set<String>
  /// Bytes read beyond an excerpt, so that no secret is cut in two at its end.
  private static let margin = 64 << 10

  init(_ redaction: Redaction, hiddenHeaders: Set<String> = []) {
    (self.redaction, self.hiddenHeaders) = (redaction, hiddenHeaders)
  }

  /// The text without secrets.
  public func text(_ text: String) -> String {
    Self.withoutCredentials(redaction.applied(to: text))
  }

  /// The header, without its value if that is a credential.
  public func header(_ header: Response.Header) -> Response.Header {
    let name = header.name.lowercased()
    guard !hiddenHeaders.contains(name), !Self.isCredential(header: name)
    else { return Response.Header(name: header.name, value: Redaction.mark) }
    return Response.Header(name: header.name, value: text(header.value))
  }

  /// The start of a body without secrets, in at most `limit` bytes; `nil` if it is not text or mostly secret.
  public func excerpt(of body: [UInt8], limit: Int) -> String? {
    let read = body.prefix(limit + Self.margin)
    guard !read.contains(0) else { return nil }
    let text = text(String(decoding: read, as: UTF8.self)).visible
    if read.count < body.count, text.utf8.count < limit { return nil }
    guard text.utf8.count > limit else { return text }
    var kept = String.UnicodeScalarView()
    var room = limit
    for scalar in text.unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      kept.append(scalar)
    }
    return String(kept)
  }

  /// Whether a header's value is a credential, regardless of its origin.
  private static func isCredential(header name: String) -> Bool {
    switch name {
    case "authorization", "proxy-authorization", "cookie", "set-cookie", "authentication-info": true
    case "idempotency-key": false
    default: isCredential(name) || name.hasSuffix("-key")
    }
  }

  private static func isCredential(_ name: String) -> Bool {
    let name = name.lowercased()
    if name == "sig" || name == "apikey" { return true }
    return [
      "signature", "token", "secret", "password", "api-key", "api_key", "assertion",
    ].contains { name.contains($0) }
  }

  /// The text without the values of query items and form fields that are credentials by their names.
  static func withoutCredentials(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
    var result = String.UnicodeScalarView()
    var name = String.UnicodeScalarView()
    var isHidden = false
    for scalar in text.unicodeScalars {
      if isHidden, isValue(scalar) { continue }
      isHidden = false
      result.append(scalar)
      if isNameScalar(scalar) {
        name.append(scalar)
      } else {
        if scalar == "=", isCredential(String(name)) {
          isHidden = true
          result.append(contentsOf: Redaction.mark.unicodeScalars)
        }
        name = String.UnicodeScalarView()
      }
    }
    return String(result)
  }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "%", "[", "]": true
    default: false
    }
  }

  /// Whether it belongs to the value of a query item, wherever the URL is written.
  private static func isValue(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "&", ";", "#", "\"", "'", "<", ">", "\\", ",", ")", "}": false
    default: scalar.value > 0x20
    }
  }
}

extension Evaluator {
  /// The hidden parts of exchanges in this scope, and of `request` in particular.
  public func cover(_ scope: Scope, of request: RenderedRequest? = nil) -> SecretCover {
    var redaction = redaction(scope)
    for header in request?.headers ?? []
    where request?.secretHeaders.contains(header.name.lowercased()) == true {
      redaction.hide(.string(header.value))
      // Without the scheme, as a server may echo it.
      if let token = header.value.split(separator: " ").last, token.utf8.count >= 8 {
        redaction.hide(.string(String(token)))
      }
    }
    for value in request?.shown?.secrets ?? [] { redaction.hide(made: value) }
    return SecretCover(redaction, hiddenHeaders: request?.secretHeaders ?? [])
  }

  /// The verdict without texts that the request's expressions derived from secrets, which a server may have echoed.
  public func covered(_ verdict: Verdict, of request: RenderedRequest?, _ scope: Scope) -> Verdict {
    guard request?.shown?.secrets.isEmpty == false, verdict.hasFailure else { return verdict }
    let cover = cover(scope, of: request)
    return verdict.changing { $0.saying(cover.text($0.message)) }
  }

  /// A server's message about a failure; `nil` if there was no message.
  public func kept(
    of response: Response, to request: RenderedRequest?, of step: Step?, _ scope: Scope
  ) -> KeptResponse? {
    guard response.error == nil else { return nil }
    let named = response.headers.filter { KeptResponse.isRequestID($0.name) }
    guard !named.isEmpty || !response.body.isEmpty else { return nil }
    let cover = cover(scope, of: request)
    let isSecret =
      (200..<400).contains(response.status) && step?.outputs.contains(where: \.isSecret) == true
    let body = isSecret ? nil : cover.excerpt(of: response.body, limit: KeptResponse.longestBody)
    let names = named.prefix(KeptResponse.mostIDs).map { header in
      let header = cover.header(header)
      return Response.Header(
        name: header.name.visibleLine,
        value: String(header.value.prefix(KeptResponse.longestID)).visibleLine)
    }
    return KeptResponse(body: body ?? "", bodyBytes: response.body.count, requestIDs: Array(names))
  }
}
