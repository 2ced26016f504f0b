import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineSigning

/// Keys that the user passes with `--credentials`.
struct GivenKeysTests {
  private static let keys = [
    "s3": RequestSigner.GivenKeys(
      values: ["key": "AKID", "secret": "s3cret"], host: "s3.example.com:9000")
  ]

  private static func request(_ url: String) -> RenderedRequest {
    var request = RenderedRequest(method: "GET", url: url)
    request.signing = RenderedSigning(
      scheme: .awsV4(place: .header, payload: .unsigned, life: .seconds(900)),
      values: ["region": "us-east-1", "service": "s3"],
      location: SourceLocation(file: "a.yaml", line: 1, column: 1))
    request.signing?.given = "s3"
    return request
  }

  private static func sign(_ url: String, _ signer: RequestSigner) throws -> RenderedRequest {
    try signer.authorize(
      request(url), body: BodySummary(size: 0, digests: [:]), at: Instant(milliseconds: 0))
  }

  @Test func `passed keys sign only for their host`() throws {
    let signer = RequestSigner(given: Self.keys)
    let signed = try Self.sign("https://S3.example.com:9000/bucket/key", signer)
    #expect(signed.value(of: "Authorization")?.contains("Credential=AKID/19700101/") == true)
    for url in [
      "https://s3.example.com/bucket", "https://s3.example.com.evil.net:9000/", "https://evil.net/",
      "https://evil.net/@s3.example.com:9000/", "https://s3.example.com:9001/",
    ] {
      #expect(throws: AuthorizationFailure.self, "\(url)") { try Self.sign(url, signer) }
    }
    #expect(
      throws: AuthorizationFailure(
        message:
          "the credentials 's3' are set for s3.example.com:9000, and not for evil.net (--credentials)"
      )
    ) {
      try Self.sign("https://evil.net/a", signer)
    }
  }

  @Test func `keys that were not passed are never used`() {
    #expect(
      throws: AuthorizationFailure(
        message: "the credentials 's3' have no keys (--credentials)")
    ) {
      try Self.sign("https://s3.example.com:9000/a", RequestSigner())
    }
  }

  @Test func `a simulation needs no keys`() throws {
    let signed = try Self.sign("https://anywhere.example.com/a", RequestSigner.simulated)
    #expect(signed.value(of: "Authorization")?.contains("Credential=simulated/") == true)
  }
}
