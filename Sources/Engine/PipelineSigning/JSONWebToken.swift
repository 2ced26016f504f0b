import Basics
import CEL
import Crypto
import CryptoExtras
import PipelineCore
import PipelineEngine

/// A JSON Web Token (RFC 7519) with a signature (RFC 7515).
struct JSONWebToken {
  let text: String

  /// Makes a token that is valid for `life`, with an ID of its own if `hasID` (RFC 7523 §3); a simulated signature is a digest.
  init(
    _ signing: RenderedSigning, _ algorithm: JWTAlgorithm, life: Duration, time: Instant,
    hasID: Bool = false, isSimulated: Bool = false
  ) throws(AuthorizationFailure) {
    var head: [(String, Value)] = [("alg", .string(algorithm.rawValue)), ("typ", .string("JWT"))]
    if let id = signing.optional("key_id") { head.append(("kid", .string(id))) }
    var claims = signing.claims.map { ($0.name, $0.value) }
    let issued = time.wholeSeconds
    func add(_ name: String, _ value: Value) {
      if !claims.contains(where: { $0.0 == name }) { claims.append((name, value)) }
    }
    add("iat", .int(issued))
    add("exp", .int(issued + life.milliseconds / 1000))
    if hasID {
      let attempt = SHA256.hash(data: Array("\(signing.fence) \(time.milliseconds)".utf8))
      add("jti", .string(String(Hexadecimal.text(attempt).prefix(32))))
    }
    let signed = [head, claims].map {
      Base64.encodeForURL(Array(Value.map(MapValue($0)).jsonText().utf8))
    }.joined(separator: ".")
    let key = try signing.required("key")
    let signature =
      try isSimulated
      ? Array(SHA256.hash(data: Array("\(key) \(signed)".utf8)))
      : Self.signature(of: Array(signed.utf8), key, algorithm)
    text = "\(signed).\(Base64.encodeForURL(signature))"
  }

  func write(to request: inout RenderedRequest, in place: JWTPlace) {
    guard place != .bearer else {
      return request.set("Authorization", "Bearer \(text)", isSecret: true)
    }
    // Nothing in a token has to be escaped in a form.
    let field = "\(place.rawValue)=\(text)"
    request.body += Array((request.body.isEmpty ? field : "&\(field)").utf8)
  }

  private static func signature(
    of bytes: [UInt8], _ key: String, _ algorithm: JWTAlgorithm
  ) throws(AuthorizationFailure) -> [UInt8] {
    do {
      switch algorithm {
      case .es256:
        let key = try P256.Signing.PrivateKey(pemRepresentation: key)
        return Array(try key.signature(for: bytes).rawRepresentation)
      case .rs256:
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: key)
        let digest = SHA256.hash(data: bytes)
        return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
      }
    } catch {
      let kind = algorithm == .es256 ? "an elliptic-curve key for P-256" : "an RSA key"
      throw AuthorizationFailure(
        message: "'key' of 'jwt' is not \(kind) in PEM form, which \(algorithm.rawValue) needs")
    }
  }
}
