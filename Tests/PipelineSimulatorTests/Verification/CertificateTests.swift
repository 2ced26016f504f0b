import PipelineCore
import PipelineSimulator
import Testing

/// Small pipelines, about half of them unsafe, each in its own way: a verification tells them apart.
struct CertificateTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    /// Steps of a loop over files, and what stands beside them.
    var run = ""
    let steps: String
    var abandon = ""
    /// `nil` where it is safe.
    var finding: String?
    /// Steps that rest on the author's word.
    var words: Set<String> = []

    var testDescription: String { name }

    var text: String {
      func indented(_ text: String, _ width: Int) -> String {
        text.split(separator: "\n").map { String(repeating: " ", count: width) + $0 + "\n" }
          .joined()
      }
      return """
        pipeline: example
        inputs: { files: { type: files } }
        steps:
        \(indented(run, 2))  - for_each: file
            in: ${{ inputs.files }}
            steps:
        \(indented(steps, 6))
        """ + (abandon.isEmpty ? "" : "    on_abandon:\n" + indented(abandon, 6))
    }
  }

  private static let allocate = """
    - id: allocate
      request: { method: POST, url: "http://s/a" }
      effect: create
      idempotency: { header: Idempotency-Key }
      outputs: { id: "${{ response.json.id }}" }

    """
  private static let mortal = allocate.replacing(
    "{ id: \"${{ response.json.id }}\" }",
    with: "{ id: { value: \"${{ response.json.id }}\", expires: { in: 10m } } }")
  private static let upload = """
    - id: upload
      upload: { url: "http://s/u/${{ steps.allocate.id }}", file: "${{ file }}" }
      on: [{ if: "${{ response.status == 404 }}", expired: allocate }]

    """
  private static func publish(_ safety: String) -> String {
    """
    - id: publish
      needs: [upload]
      request: { method: POST, url: "http://s/posts/${{ steps.allocate.id }}" }
      effect: create
    \(safety.isEmpty ? "" : "  " + safety + "\n")  on: [{ if: "${{ response.status == 404 }}", expired: allocate }]

    """
  }
  private static let key = "idempotency: { header: Idempotency-Key }"
  private static func probe(_ done: String, _ example: String = "") -> String {
    "probe: { request: { url: \"http://s/p/${{ steps.allocate.id }}\" }, done: \"${{ \(done) }}\"\(example) }"
  }
  private static let refused = upload.replacing(
    "expired: allocate }",
    with: "expired: allocate }, { if: \"${{ response.status == 400 }}\", then: fail }")

  static let examples: [Example] = [
    // Safe.
    Example(name: "a key", steps: allocate + upload),
    Example(
      name: "a key behind an id that lives",
      steps: (allocate + upload + publish(key))
        .replacing(
          "  on: [{ if: \"${{ response.status == 404 }}\", expired: allocate }]\n", with: "")),
    Example(
      name: "a probe that knows an effect by an id that died",
      steps: mortal + upload + publish(probe("response.json.state == 'complete'"))),
    Example(
      name: "idempotent methods",
      steps: """
        - { id: put, request: { method: PUT, url: "http://s/${{ file.name }}" } }
        - { id: look, needs: [put], request: { url: "http://s/${{ file.name }}" } }
        - { id: drop, needs: [look], request: { method: DELETE, url: "http://s/${{ file.name }}" } }
        """),
    Example(
      name: "a compensation that may be repeated", steps: allocate + refused,
      abandon: "- request: { method: DELETE, url: \"http://s/a/${{ steps.allocate.id }}\" }"),
    Example(
      name: "a compensation with a key", steps: allocate + refused,
      abandon:
        "- request: { method: POST, url: \"http://s/refund/${{ steps.allocate.id }}\", headers: { Idempotency-Key: \"refund-${{ item.key }}\" } }"
    ),
    Example(
      name: "a login",
      run: """
        - id: sign_in
          request: { method: POST, url: "http://s/login" }
          outputs: { token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } } }
        """,
      steps: """
        - id: upload
          upload: { url: "http://s/${{ file.name }}", bearer: "${{ steps.sign_in.token }}", file: "${{ file }}" }
        """, words: ["sign_in"]),
    Example(
      name: "a token that is refreshed in flight",
      run: """
        - id: sign_in
          request: { method: POST, url: "http://s/login" }
          outputs: { token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } } }
        """,
      steps: """
        - id: upload
          upload: { url: "http://s/${{ file.name }}", bearer: "${{ steps.sign_in.token }}", file: "${{ file }}", renew: [challenge] }
        """, words: ["sign_in"]),
    Example(
      name: "a download",
      steps: """
        - { id: fetch, download: { url: "http://s/${{ file.name }}", max_size: 10 MB } }
        - { id: tell, request: { method: PUT, url: "http://s/seen/${{ steps.fetch.file.size }}" } }
        """),
    Example(
      name: "a post that may be repeated",
      steps: "- { id: ping, request: { method: POST, url: \"http://s/ping\" } }", words: ["ping"]),
    // Not safe.
    Example(
      name: "no key",
      steps: allocate + upload
        + publish("")
        .replacing(
          "effect: create\n  on",
          with: "effect: create  # pipeline: ignore[unsafe-create] shown\n  on"),
      finding: "twice for one item"),
    Example(
      name: "a key that changes with its generation", steps: mortal + upload + publish(key),
      finding: "another generation with another key"),
    Example(
      name: "a wrong probe",
      steps: allocate + upload
        + publish(
          probe(
            "response.json.n == 2",
            ", example: { done: { json: { n: 1 } }, open: { json: { n: 0 } } }")),
      finding: "its probe did not prevent it"),
    Example(
      name: "a compensation that is another effect", steps: allocate + refused,
      abandon:
        "- request: { method: POST, url: \"http://s/refund\", json: { id: \"${{ steps.allocate.id }}\" } }",
      finding: "'on_abandon' twice"),
    Example(
      name: "a secret output of a creating step",
      run: """
        - id: share
          request: { method: POST, url: "http://s/shares" }
          effect: create
          idempotency: { header: Idempotency-Key }
          outputs: { token: { value: "${{ response.json.token }}", secret: true } }
        """,
      steps: """
        - id: upload
          upload: { url: "http://s/${{ file.name }}", bearer: "${{ steps.share.token }}", file: "${{ file }}" }
        """, finding: "its result is secret"),
    Example(
      name: "a secret output of a creating step of the loop",
      steps: allocate.replacing(
        "{ id: \"${{ response.json.id }}\" }",
        with: "{ id: { value: \"${{ response.json.id }}\", secret: true } }") + upload,
      finding: "its result is secret"),
    Example(
      name: "a download that is never right",
      steps: """
        - id: fetch
          download: { url: "http://s/film", max_size: 10 MB, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }
        - { id: tell, request: { method: PUT, url: "http://s/seen/${{ steps.fetch.file.size }}" } }
        """, finding: "1 never reached ('tell')"),
    Example(
      name: "a poll without an end",
      steps: """
        - id: wait
          request: { url: "http://s/w", example: { status: 202 } }
          on: [{ if: "${{ response.status == 202 }}", then: poll, after: 1h }]
        """, finding: "the run never ends"),
  ]

  @Test(arguments: examples)
  func `it is told whether it is safe, and why`(example: Example) throws {
    let safety = try CrashVerifierTests.verify(example.text, pairs: 100)
    let text = CrashSafetyReport([safety]).text()
    #expect(safety.isCertified == (example.finding == nil), "\(text)")
    if let finding = example.finding { #expect(text.contains(finding), "\(text)") }
    let words = safety.steps.filter { $0.grade == .word }.map(\.id.rawValue)
    if example.finding == nil {
      #expect(Set(words) == example.words)
      #expect(words.isEmpty || text.contains("\(words.count) by the author's word alone"))
    }
  }
}
