import PipelineCore
import PipelineDocument
import Testing

/// Credentials whose keys the user passes.
struct GivenCredentialTests {
  private static func load(_ credential: String, _ url: String = "https://s3.example.com/a")
    -> PipelineDocument.Result
  {
    PipelineDocument.load(
      text: """
        pipeline: given
        credentials: { s3: { aws_v4: { \(credential) } } }
        steps:
          - id: a
            request: { url: "\(url)", credentials: s3 }
        """, file: "given.yaml")
  }

  @Test func `a pipeline without keys does not read any, and an audit lists the ones it needs`()
    throws
  {
    let pipeline = try #require(Self.load("region: r, service: s3").pipeline)
    #expect(pipeline.givenCredentials == ["s3"])
    #expect(pipeline.secretNames.isEmpty && pipeline.inputs.isEmpty)
    #expect(
      PipelineAudit(pipeline).lines() == [
        "hosts", "  https://s3.example.com: a", "files", "  none", "secrets",
        "  credentials.s3: https://s3.example.com",
      ])
    let reading = Self.load(
      "region: r, service: s3", "https://s3.example.com/${{ credentials.s3.secret }}")
    #expect(reading.diagnostics.map(\.code) == [.undeclaredReference])
  }

  @Test func `a key without its secret is an error, and so is a token without both`() {
    for credential in ["key: a", "secret: a", "session_token: a"] {
      let result = Self.load("\(credential), region: r, service: s3")
      #expect(result.pipeline == nil)
      #expect(result.diagnostics.contains { $0.code == .missingKey }, "\(credential)")
    }
    #expect(Self.load("key: a, secret: b, region: r, service: s3").pipeline?.givenCredentials == [])
  }
}
