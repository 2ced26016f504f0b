import Basics
import CEL
import Crypto
import PipelineCore
import PipelineEngine

/// OAuth 1.0a with HMAC-SHA1 (RFC 5849).
struct OAuth1Signature {
  private let consumerKey, consumerSecret: String
  private let token: String?
  private let tokenSecret: String
  private let realm: String?
  /// Fields of a body that the standard leaves out, and the server requires to be signed.
  private let parameters: [(String, String)]
  private let time: Instant
  private let fence: String

  init(_ signing: RenderedSigning, time: Instant) throws(AuthorizationFailure) {
    consumerKey = try signing.required("consumer_key")
    consumerSecret = try signing.required("consumer_secret")
    token = signing.optional("token")
    tokenSecret = signing.optional("token_secret") ?? ""
    realm = signing.optional("realm")
    parameters = signing.claims.map { ($0.name, $0.value.stringValue ?? "") }
    self.time = time
    fence = signing.fence
  }

  /// Never used twice with one timestamp (§3.3): attempts have different fences, and runs different seeds.
  private var nonce: String {
    String(
      Hexadecimal.text(SHA256.hash(data: Array("\(fence) \(time.milliseconds)".utf8))).prefix(32))
  }

  func sign(_ request: inout RenderedRequest) { sign(&request, nonce: nonce) }

  func sign(_ request: inout RenderedRequest, nonce: String) {
    var protocolItems = [
      ("oauth_consumer_key", consumerKey), ("oauth_nonce", nonce),
      ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", String(time.wholeSeconds)),
    ]
    if let token { protocolItems.append(("oauth_token", token)) }
    protocolItems.append(("oauth_version", "1.0"))
    let code = HMAC<Insecure.SHA1>.authenticationCode(
      for: Array(baseText(request, protocolItems).utf8),
      using: SymmetricKey(
        data: Array(
          "\(PercentEncoding.encode(consumerSecret))&\(PercentEncoding.encode(tokenSecret))".utf8)))
    protocolItems.append(("oauth_signature", Base64.encode(Array(code))))
    let items = protocolItems.map { "\($0.0)=\"\(PercentEncoding.encode($0.1))\"" }
    let realm = self.realm.map { ["realm=\"\($0)\""] } ?? []
    request.set("Authorization", "OAuth " + (realm + items).joined(separator: ", "), isSecret: true)
  }

  /// The signature base string (§3.4.1).
  func baseText(_ request: RenderedRequest, _ protocolItems: [(String, String)]) -> String {
    let target = RequestTarget(request.url)
    var items = QueryItems(target.query, plusIsSpace: true).items
    items += (protocolItems + parameters).map { (Array($0.0.utf8), Array($0.1.utf8)) }
    // Only a form is part of the signature (§3.4.1.3.1): neither a file nor `multipart/form-data` is.
    let type = request.value(of: "Content-Type")?.lowercased().prefix { $0 != ";" } ?? ""
    if type.trimmingSpaces == "application/x-www-form-urlencoded" {
      items += QueryItems(String(decoding: request.body, as: UTF8.self), plusIsSpace: true).items
    }
    let normalized = QueryItems(items).sortedAndEscaped.map { "\($0.name)=\($0.value)" }
      .joined(separator: "&")
    let scheme = request.url.lowercased().hasPrefix("https:") ? "https" : "http"
    return [
      request.method.uppercased(),
      PercentEncoding.encode("\(scheme)://\(target.host)\(target.path)"),
      PercentEncoding.encode(normalized),
    ].joined(separator: "&")
  }
}

extension QueryItems { init(_ items: [(name: [UInt8], value: [UInt8])]) { self.items = items } }

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
