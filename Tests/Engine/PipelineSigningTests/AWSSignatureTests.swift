import Basics
import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineSigning

/// Signatures as AWS documents them, and as botocore 1.43 computed them for requests that the documentation leaves out.
struct AWSSignatureTests {
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let date = "20150830T123600Z"

  struct Vector: Sendable, CustomTestStringConvertible {
    let service: String
    let method: String
    let url: String
    var headers: [String: String] = [:]
    var body = ""
    var token = ""
    let signature: String
    var testDescription: String { "\(service) \(method) \(url)" }
  }

  static let vectors = [
    // The test suite of AWS: get-vanilla, get-vanilla-query-order-key-case, get-vanilla-query-order-value.
    Vector(
      service: "service", method: "GET", url: "https://example.amazonaws.com/",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Vector(
      service: "service", method: "GET",
      url: "https://example.amazonaws.com/?Param2=value2&Param1=value1",
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Vector(
      service: "service", method: "GET",
      url: "https://example.amazonaws.com/?Param1=value2&Param1=Value1",
      signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
    // post-header-key-case (one header), post-x-www-form-urlencoded.
    Vector(
      service: "service", method: "POST", url: "https://example.amazonaws.com/",
      headers: ["My-Header1": "value1"],
      signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
    Vector(
      service: "service", method: "POST", url: "https://example.amazonaws.com/",
      headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "Param1=value1",
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    // botocore.
    Vector(
      service: "service", method: "GET",
      url: "https://example.amazonaws.com/?a=b%20c&a=a%2Fb&empty&x=",
      signature: "2272e3c05efd9f0e0000e1423911a80ffa90221783397e18c4319b50796d5f3b"),
    Vector(
      service: "service", method: "GET", url: "https://example.amazonaws.com/a//b/./c/../d/",
      signature: "fc87438582477f9ca8c8209b32704e0e9f5b46786f0101a26c46e85478a0f14f"),
    Vector(
      service: "service", method: "GET",
      url: "https://example.amazonaws.com/odd%20name%2Fwith%25",
      signature: "3cfb2cd26a572870bf08821762b5164f8000802f970fe88ddac6335cbf9a55a0"),
    Vector(
      service: "service", method: "POST", url: "https://example.amazonaws.com/",
      token: "TOKEN/+=",
      signature: "be97c993a592022fb2346b0b5c0f2579aed19cac84811cfcb9a95ac3e9bebac6"),
    Vector(
      service: "s3", method: "PUT",
      url: "https://bucket.s3.amazonaws.com/a//b/./c/../d%20e/%C3%A4%2B%25.txt",
      headers: ["Content-Type": "text/plain"], body: "hello",
      signature: "6745764a85cf8fac4b58b0359863d7192930bf465dd2c93a14992ad2e1e3a1e0"),
    Vector(
      service: "s3", method: "PUT",
      url: "https://bucket.s3.amazonaws.com/key?partNumber=2&uploadId=a%2Bb%2Fc%3D%3D",
      body: "hello", token: "TOKEN/+=",
      signature: "572625b5aa48bec8b36f2efc7a7e697568e62de91294eab83675e5994717a332"),
    Vector(
      service: "s3", method: "GET", url: "http://127.0.0.1:9000/bucket/key?uploads",
      signature: "b4978f336b466b552d616f938296d029b5bdf78aa0874b937dd7422b291a2b62"),
  ]

  @Test(arguments: vectors) func `a header is signed as AWS and botocore sign it`(_ vector: Vector)
    throws
  {
    var request = RenderedRequest(
      method: vector.method, url: vector.url,
      headers: vector.headers.map { .init(name: $0.key, value: $0.value) },
      body: Array(vector.body.utf8))
    request.signing = Self.signing(vector.service, token: vector.token)
    let signed = try Self.sign(request)
    let authorization = try #require(signed.value(of: "Authorization"))
    #expect(authorization.hasSuffix("Signature=\(vector.signature)"), "\(authorization)")
    #expect(
      authorization.contains(
        "Credential=AKIDEXAMPLE/20150830/us-east-1/\(vector.service)/aws4_request, SignedHeaders="))
    #expect(signed.value(of: "X-Amz-Date") == Self.date)
    #expect(signed.secretHeaders.contains("authorization"))
    #expect(signed.url == vector.url)
  }

  /// "Examples: Signature Calculations", Amazon S3 API Reference.
  @Test func `the examples of object storage's documentation are reproduced`() throws {
    let time = Instant(milliseconds: 1_369_353_600_000)
    var request = RenderedRequest(
      method: "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt",
      headers: [.init(name: "Range", value: "bytes=0-9")])
    request.signing = Self.documented()
    #expect(
      try Self.sign(request, at: time).value(of: "Authorization")?.hasSuffix(
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
          + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
    var upload = RenderedRequest(
      method: "PUT", url: "https://examplebucket.s3.amazonaws.com/test$file.text",
      headers: [
        .init(name: "Date", value: "Fri, 24 May 2013 00:00:00 GMT"),
        .init(name: "x-amz-storage-class", value: "REDUCED_REDUNDANCY"),
      ], body: Array("Welcome to Amazon S3.".utf8))
    upload.signing = Self.documented()
    #expect(
      try Self.sign(upload, at: time).value(of: "Authorization")?.hasSuffix(
        "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd") == true)
    var link = RenderedRequest(
      method: "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt")
    link.signing = Self.documented(place: .query, life: .seconds(86_400))
    let signed = try Self.sign(link, at: time)
    #expect(
      signed.url.hasSuffix(
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"))
    #expect(signed.unsignedURL == "https://examplebucket.s3.amazonaws.com/test.txt")
    #expect(signed.headers.isEmpty)
  }

  @Test(arguments: [
    (
      "s3", "https://bucket.s3.amazonaws.com/a%20b//c?x=1", "",
      "5bb822d1eaf5b899ce725f70f405c08a0665382cdde24d53ed4c0fda87f5e355"
    ),
    (
      "s3", "https://bucket.s3.amazonaws.com/key", "TOKEN/+=",
      "38cd972b5428f5ac79cdc3e9ca80201c000983e25aa2b7c9434c4b38a3c54532"
    ),
    (
      "service", "https://example.amazonaws.com/a/b?q=1", "",
      "469649ccac3d4390ee6add3702ca9b9d974ae5a1e0fb757b40bb022f7ce9085e"
    ),
  ])
  func `a URL is signed as botocore signs it`(
    service: String, url: String, token: String, signature: String
  ) throws {
    var request = RenderedRequest(method: "PUT", url: url)
    request.signing = Self.signing(service, token: token, place: .query)
    let signed = try Self.sign(request)
    #expect(signed.url.hasSuffix("&X-Amz-Signature=\(signature)"), "\(signed.url)")
  }

  @Test func `a file that is not signed needs no digest, and declares it`() throws {
    var request = RenderedRequest(method: "PUT", url: "https://bucket.s3.amazonaws.com/key")
    request.signing = Self.signing("s3", payload: .unsigned)
    #expect(request.signing?.bodyDigests == [])
    let signed = try RequestSigner().authorize(
      request, body: BodySummary(size: 1 << 40, digests: [:]), at: Self.time)
    #expect(signed.value(of: "X-Amz-Content-Sha256") == "UNSIGNED-PAYLOAD")
    request.signing = Self.signing("s3")
    #expect(request.signing?.bodyDigests == [.sha256])
    #expect(throws: AuthorizationFailure(message: "the digest of the body is not known")) {
      try RequestSigner().authorize(
        request, body: BodySummary(size: 1, digests: [:]), at: Self.time)
    }
  }

  @Test func `an empty key is named without showing the others`() throws {
    var request = RenderedRequest(method: "GET", url: "https://example.amazonaws.com/")
    request.signing = RenderedSigning(
      scheme: Self.scheme(), values: ["key": "AKID", "secret": "", "region": "r", "service": "s"],
      location: Self.location)
    #expect(throws: AuthorizationFailure(message: "'secret' of 'aws_v4' is empty")) {
      try Self.sign(request)
    }
  }

  @Test func `the server's clock decides the time of a signature`() throws {
    var request = RenderedRequest(method: "GET", url: "https://example.amazonaws.com/")
    request.signing = Self.signing("service")
    request.signing?.clockLead = -3_600_000
    let signed = try Self.sign(request)
    #expect(signed.value(of: "X-Amz-Date") == "20150830T113600Z")
    #expect(signed.signed == Instant(milliseconds: Self.time.milliseconds - 3_600_000))
  }

  // MARK: Requests

  static let location = SourceLocation(file: "a.yaml", line: 1, column: 1)
  private static let time = Instant(milliseconds: 1_440_938_160_000)

  private static func scheme(
    _ place: SignaturePlace = .header, _ payload: SignedPayload = .signed,
    life: Duration = .seconds(900)
  ) -> SigningScheme { .awsV4(place: place, payload: payload, life: life) }

  private static func signing(
    _ service: String, token: String = "", place: SignaturePlace = .header,
    payload: SignedPayload = .signed
  ) -> RenderedSigning {
    RenderedSigning(
      scheme: scheme(place, payload),
      values: [
        "key": "AKIDEXAMPLE", "secret": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "session_token": token, "region": "us-east-1", "service": service,
      ], location: location)
  }

  private static func documented(
    place: SignaturePlace = .header, life: Duration = .seconds(900)
  ) -> RenderedSigning {
    RenderedSigning(
      scheme: scheme(place, life: life),
      values: [
        "key": "AKIAIOSFODNN7EXAMPLE", "secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "region": "us-east-1", "service": "s3",
      ], location: location)
  }

  private static func sign(
    _ request: RenderedRequest, at time: Instant = time
  ) throws -> RenderedRequest {
    let signer = RequestSigner()
    return try signer.authorize(
      request,
      body: BodySummary(
        size: Int64(request.body.count),
        digests: [.sha256: signer.digest(of: request.body, .sha256)]
      ), at: time)
  }
}
