import PipelineDocument
import PipelineSimulator
import Testing

/// A step has succeeded when a response proves it, in tests as in runs.
struct EvidenceTests {
  /// A pipeline that publishes a file under a key, with more keys for its step.
  private static func pipeline(_ keys: String, _ method: String) -> String {
    """
    pipeline: small
    inputs: { server: { type: url }, photos: { type: files } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: publish
            request: { method: \(method), url: "${{ inputs.server }}/publish"\(method == "HEAD" ? "" : ", json: { name: \"${{ photo.name }}\" }") }
            effect: create
            idempotency: { header: Idempotency-Key }
            retry: { attempts: 3, backoff: { initial: 1s } }
    \(keys)
    """
  }

  private static let evidence =
    #"        success_if: ${{ response.json.state == "published" }}"#

  /// The difference between the end of a run with these responses and one finished file
  /// after this many attempts.
  private static func differences(
    _ responses: String, attempts: Int = 1, _ keys: String, method: String = "POST"
  ) throws -> [String] {
    let (document, diagnostics) = TestDocumentTests.load(
      TestDocumentTests.test(
        """
        answers: { publish: [\(responses)] }
        expect: { items: { done: 1 }, attempts: { publish: \(attempts) } }
        """), pipeline: pipeline(keys, method))
    let checked = try #require(document, "\(diagnostics)")
    let result = try #require(TestRunner(checked).results().first)
    return result.failures.map { "\($0)" }
  }

  @Test(arguments: [
    "{ status: 200 }", #"{ status: 200, text: " " }"#, #"{ status: 200, text: "<html></html>" }"#,
    "{ status: 201, json: { state: pending } }", "{ status: 200, json: { error: busy } }",
  ])
  func
    `a 2xx response without the evidence is repeated under its key, and does not count as a success`(
      _ response: String
    ) throws
  {
    #expect(try Self.differences(response, Self.evidence) != [])
    let published = "{ status: 200, json: { state: published } }"
    #expect(try Self.differences("\(response), \(published)", attempts: 2, Self.evidence) == [])
  }

  @Test(arguments: [
    ("POST", "{ status: 200, json: { state: published } }", true),
    // No test may rely on data that the transport would not read.
    ("HEAD", "{ status: 200, json: { state: published } }", false),
    ("POST", "{ status: 204, json: { state: published } }", false),
    (
      "POST", "{ status: 200, headers: { Content-Length: '100' }, json: { state: published } }",
      false
    ),
    ("POST", "{ status: 200, headers: { Content-Length: '2000000' }, text: a }", false),
  ])
  func `a response has the body that the transport would read`(
    _ method: String, _ response: String, _ isRead: Bool
  ) throws {
    let differences = try Self.differences(response, Self.evidence, method: method)
    #expect(differences.isEmpty == isRead, "\(differences)")
  }

  @Test(arguments: [
    // A body that the test does not mention has the expected size.
    ("{ status: 200 }", true), ("{ status: 200, headers: { Content-Length: '9' } }", true),
    ("{ status: 200, text: '' }", false),
    ("{ status: 200, headers: { Content-Length: '0' } }", false),
    ("{ status: 200, headers: { Content-Length: '8' } }", false),
  ])
  func `a download whose body has another size than the stated one does not succeed`(
    _ response: String, _ isReceived: Bool
  ) throws {
    let pipeline = """
      pipeline: small
      inputs: { server: { type: url }, photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: fetch
              download: { url: "${{ inputs.server }}/receipt", size: 9 B }
      """
    let (document, diagnostics) = TestDocumentTests.load(
      TestDocumentTests.test(
        "answers: { fetch: [\(response)] }\nexpect: { items: { done: 1 } }"), pipeline: pipeline)
    let checked = try #require(document, "\(diagnostics)")
    let result = try #require(TestRunner(checked).results().first)
    #expect(result.failures.isEmpty == isReceived, "\(result.failures)")
  }

  @Test(arguments: [301, 302, 303])
  func `a redirect to a sign-in page does not count as a success`(_ status: Int) throws {
    let redirect = "{ status: \(status), headers: { Location: /login } }"
    #expect(try Self.differences("\(redirect), { status: 200 }", "") != [])
  }

  @Test func `a redirect that keeps the request is followed within its attempt`() throws {
    let redirect = "{ status: 307, headers: { Location: /elsewhere } }"
    #expect(try Self.differences("\(redirect), { status: 200 }", "") == [])
  }

  @Test func `a redirect that is not followed is a response that an entry can match`() throws {
    let redirect = "{ status: 303, headers: { Location: /results/1 } }"
    let on = "        on: [{ if: \"${{ response.status == 303 }}\", then: success }]"
    #expect(try Self.differences(redirect, on) == [])
  }
}
