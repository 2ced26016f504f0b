import Basics
import CEL
import Crypto
import CryptoExtras
import Foundation
import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineSigning

/// Signatures by the examples of their standards.
struct OtherSignatureTests {
  private static let location = SourceLocation(file: "a.yaml", line: 1, column: 1)

  private static func signing(
    _ scheme: SigningScheme, _ values: [String: String]
  ) -> RenderedSigning {
    RenderedSigning(scheme: scheme, values: values, location: location)
  }

  // MARK: OAuth 1.0a

  /// RFC 5849 §3.4.1.1: the request, and its base string.
  @Test func `the base string of RFC 5849 is reproduced`() throws {
    let request = RenderedRequest(
      method: "POST", url: "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b",
      headers: [.init(name: "Content-Type", value: "application/x-www-form-urlencoded")],
      body: Array("c2&a3=2+q".utf8))
    let signature = try OAuth1Signature(
      Self.signing(
        .oauth1, ["consumer_key": "9djdj82h48djs9d2", "consumer_secret": "j49sk3j29djd"]),
      time: Instant(milliseconds: 137_131_201_000))
    let items = [
      ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
      ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"),
      ("oauth_nonce", "7d8f3e4a"),
    ]
    #expect(
      signature.baseText(request, items)
        == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D"
        + "%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a"
        + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7"
    )
  }

  /// The example of "Creating a signature" in the documentation of a service that uses OAuth 1.0a.
  @Test func `a form with escapes is signed as documented`() throws {
    var request = RenderedRequest(
      method: "POST", url: "https://api.twitter.com/1.1/statuses/update.json?include_entities=true",
      headers: [.init(name: "Content-Type", value: "application/x-www-form-urlencoded")],
      body: Array(
        "status=Hello%20Ladies%20%2B%20Gentlemen%2C%20a%20signed%20OAuth%20request%21".utf8))
    let signature = try OAuth1Signature(
      Self.signing(
        .oauth1,
        [
          "consumer_key": "xvz1evFS4wEEPTGEFPHBog",
          "consumer_secret": "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
          "token": "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
          "token_secret": "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
        ]), time: Instant(milliseconds: 1_318_622_958_000))
    signature.sign(&request, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg")
    #expect(
      request.value(of: "Authorization")?.contains(
        #"oauth_signature="hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D""#) == true)
  }

  @Test func `parts of multipart bodies are not signed, and no nonce is used twice`() throws {
    var request = RenderedRequest(
      method: "POST", url: "https://example.com/photos",
      headers: [.init(name: "Content-Type", value: "multipart/form-data; boundary=x")],
      body: Array("a=b".utf8))
    var signing = Self.signing(.oauth1, ["consumer_key": "k", "consumer_secret": "s"])
    let plain = try OAuth1Signature(signing, time: Instant(milliseconds: 0)).baseText(request, [])
    #expect(plain == "POST&https%3A%2F%2Fexample.com%2Fphotos&")
    var further = signing
    further.claims = [
      .init(name: "title", value: "a b"), .init(name: "async", value: "1"),
    ]
    #expect(
      try OAuth1Signature(further, time: Instant(milliseconds: 0)).baseText(request, [])
        == plain + "async%3D1%26title%3Da%2520b", "unless the file says so")
    var nonces: Set<String> = []
    for fence in ["run a 1", "run a 2"] {
      signing.fence = fence
      try OAuth1Signature(signing, time: Instant(milliseconds: 0)).sign(&request)
      let header = try #require(request.value(of: "Authorization"))
      nonces.insert(String(header.split(separator: "oauth_nonce=\"")[1].prefix(32)))
    }
    #expect(nonces.count == 2)
  }

  // MARK: Shared Key

  /// "Authorize with Shared Key": the example for Put Blob, with the version of 2015-02-21.
  @Test func `the text to sign is that of the storage documentation`() throws {
    let key = Base64.encode(Array("a key".utf8))
    var request = RenderedRequest(
      method: "PUT",
      url: "https://myaccount.blob.core.windows.net/mycontainer/my%20blob?Timeout=20&comp=a&comp=B",
      headers: [
        .init(name: "x-ms-version", value: "2015-02-21"),
        .init(name: "Content-Type", value: "text/plain; charset=UTF-8"),
        .init(name: "X-MS-Meta-M2", value: "v2"), .init(name: "x-ms-meta-m1", value: " v1 "),
      ])
    let signature = try SharedKeySignature(
      Self.signing(.sharedKey, ["account": "myaccount", "key": key]),
      time: Instant(milliseconds: 1_435_361_127_000))
    signature.sign(&request, size: 11)
    #expect(
      signature.textToSign(request, size: 11)
        == "PUT\n\n\n11\n\ntext/plain; charset=UTF-8\n\n\n\n\n\n\n"
        + "x-ms-date:Fri, 26 Jun 2015 23:25:27 GMT\nx-ms-meta-m1:v1\nx-ms-meta-m2:v2\n"
        + "x-ms-version:2015-02-21\n/myaccount/mycontainer/my%20blob\ncomp:B,a\ntimeout:20")
    #expect(
      signature.textToSign(request, size: 0).hasPrefix("PUT\n\n\n\n\ntext/plain"))
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(signature.textToSign(request, size: 11).utf8),
      using: SymmetricKey(data: Array("a key".utf8)))
    #expect(
      request.value(of: "Authorization")
        == "SharedKey myaccount:\(Base64.encode(Array(code)))")
  }

  @Test func `a key that is not base64 is an error that does not quote it`() {
    #expect(throws: AuthorizationFailure(message: "'key' of 'shared_key' is not base64")) {
      try SharedKeySignature(
        Self.signing(.sharedKey, ["account": "a", "key": "not base64!"]),
        time: Instant(milliseconds: 0))
    }
  }

  // MARK: JSON Web Tokens

  private static func parts(_ token: String) throws -> [[UInt8]] {
    try token.split(separator: ".").map { part in
      let standard = part.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
      return try #require(Base64.decode(String(standard)))
    }
  }

  private static func token(
    _ algorithm: JWTAlgorithm, key: String, life: Duration = .seconds(900)
  ) throws -> String {
    var signing = signing(.jwt(algorithm, life: life), ["key": key, "key_id": "2X9R4HXF34"])
    signing.claims = [.init(name: "iss", value: "me"), .init(name: "scope", value: .list(["a"]))]
    return try JSONWebToken(
      signing, algorithm, life: life, time: Instant(milliseconds: 1_700_000_000_999)
    ).text
  }

  @Test func `an elliptic-curve key signs a token that its public key verifies`() throws {
    let key = P256.Signing.PrivateKey()
    let token = try Self.token(.es256, key: key.pemRepresentation)
    let parts = try Self.parts(token)
    #expect(
      String(decoding: parts[0], as: UTF8.self)
        == #"{"alg":"ES256","typ":"JWT","kid":"2X9R4HXF34"}"#)
    #expect(
      String(decoding: parts[1], as: UTF8.self)
        == #"{"iss":"me","scope":["a"],"iat":1700000000,"exp":1700000900}"#)
    let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: parts[2])
    #expect(key.publicKey.isValidSignature(signature, for: Array(signed.utf8)))
  }

  @Test func `a simulation signs with any text, and a real run does not`() throws {
    let signing = Self.signing(.jwt(.es256, life: .seconds(900)), ["key": "secret"])
    func signed(_ signing: RenderedSigning, by signer: RequestSigner) throws -> String? {
      var request = RenderedRequest(
        method: "PUT", url: "https://example.com/a",
        headers: [.init(name: "x-ms-version", value: "2021-08-06")])
      request.signing = signing
      return try signer.authorize(
        request, body: BodySummary(size: 0, digests: [:]), at: Instant(milliseconds: 0)
      ).value(of: "Authorization")
    }
    let token = try #require(try signed(signing, by: .simulated))
    #expect(token.hasPrefix("Bearer ") && token.split(separator: ".").count == 3)
    #expect(throws: AuthorizationFailure.self) { try signed(signing, by: RequestSigner()) }
    let shared = Self.signing(.sharedKey, ["account": "a", "key": "no base64!"])
    #expect(try signed(shared, by: .simulated)?.hasPrefix("SharedKey a:") == true)
    #expect(throws: AuthorizationFailure.self) { try signed(shared, by: RequestSigner()) }
  }

  @Test(arguments: [("", "assertion="), ("a=b%20c", "a=b%20c&assertion=")])
  func `an assertion is a field of the form, with an ID that no other has`(
    form: String, begin: String
  ) throws {
    func signed(_ fence: String) throws -> RenderedRequest {
      var signing = Self.signing(
        .jwt(.es256, life: .seconds(60), in: .assertion),
        ["key": P256.Signing.PrivateKey().pemRepresentation])
      signing.fence = fence
      var request = RenderedRequest(
        method: "POST", url: "https://example.com/token", body: Array(form.utf8))
      request.signing = signing
      return try RequestSigner().authorize(
        request, body: BodySummary(size: 0, digests: [:]), at: Instant(milliseconds: 0))
    }
    let request = try signed("a 1")
    #expect(request.value(of: "Authorization") == nil)
    let body = String(decoding: request.body, as: UTF8.self)
    #expect(body.hasPrefix(begin + "eyJ"))
    func claims(_ request: RenderedRequest) throws -> [UInt8] {
      let text = String(decoding: request.body, as: UTF8.self)
      return try Self.parts(String(text.split(separator: "=").last ?? ""))[1]
    }
    let first = try claims(request)
    #expect(String(decoding: first, as: UTF8.self).contains(#""jti":""#))
    #expect(try claims(signed("a 2")) != first)
    #expect(try claims(signed("a 1")) == first)
  }

  @Test func `an RSA key signs a token that its public key verifies`() throws {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let token = try Self.token(.rs256, key: key.pemRepresentation)
    let parts = try Self.parts(token)
    let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
    let digest = SHA256.hash(data: Array(signed.utf8))
    let signature = _RSA.Signing.RSASignature(rawRepresentation: parts[2])
    #expect(
      key.publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5))
  }

  @Test func `a key of another kind is an error that names the right one`() throws {
    let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    #expect(
      throws: AuthorizationFailure(
        message:
          "'key' of 'jwt' is not an elliptic-curve key for P-256 in PEM form, which ES256 needs")
    ) {
      try Self.token(.es256, key: other.pemRepresentation)
    }
    #expect(throws: AuthorizationFailure.self) { try Self.token(.rs256, key: "") }
  }
}
