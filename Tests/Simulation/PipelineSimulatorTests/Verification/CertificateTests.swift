import PipelineCore
import PipelineSimulator
import TestSupport
import Testing

/// Small pipelines, about half of them unsafe, each in its own way: a verification distinguishes them.
struct CertificateTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let name: String
    /// Steps of a loop over files, and the keys next to them.
    var run = ""
    var list = "inputs.files"
    let steps: String
    var abandon = ""
    /// `nil` where it is safe.
    var finding: String?
    /// Steps that rest on assumptions.
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
            in: ${{ \(list) }}
            steps:
        \(indented(steps, 6))
        """ + (abandon.isEmpty ? "" : "    on_abandon:\n" + indented(abandon, 6))
    }
  }

  static let allocate = """
    - id: allocate
      request: { method: POST, url: "http://s/a" }
      effect: create
      idempotency: { header: Idempotency-Key }
      outputs: { id: "${{ response.json.id }}" }

    """
  private static let mortal = allocate.replacing(
    "{ id: \"${{ response.json.id }}\" }",
    with: "{ id: { value: \"${{ response.json.id }}\", expires: { in: 10m } } }")
  /// The content of a server's response that a gateway's does not have.
  static let proof = "success_if: \"${{ response.status == 201 }}\""
  static let upload = """
    - id: upload
      upload: { url: "http://s/u/${{ steps.allocate.id }}", file: "${{ file }}" }
      \(proof)
      on: [{ if: "${{ response.status == 404 }}", expired: allocate }]

    """
  static func publish(_ safety: String) -> String {
    """
    - id: publish
      depends_on: [upload]
      request: { method: POST, url: "http://s/posts/${{ steps.allocate.id }}" }
      \(proof)
      effect: create
    \(safety.isEmpty ? "" : "  " + safety + "\n")  on: [{ if: "${{ response.status == 404 }}", expired: allocate }]

    """
  }
  static let key = "idempotency: { header: Idempotency-Key }"
  static func probe(_ done: String, _ example: String = "") -> String {
    "probe: { request: { url: \"http://s/p/${{ steps.allocate.id }}\" }, took_effect: \"${{ \(done) }}\"\(example), until: 30s }"
  }
  static let isComplete = "response.json.state == 'complete'"
  private static func charge(_ key: String, _ outputs: String = "") -> String {
    """
    - id: charge
      request: { method: POST, url: "http://s/charges" }
      \(proof)
      effect: create
      idempotency: \(key)
    \(outputs)- id: ship
      depends_on: [charge]
      request: { method: PUT, url: "http://s/orders/${{ item.key }}" }
      \(proof)

    """
  }
  private static func album(_ key: String) -> String {
    """
    - id: album
      request: { method: POST, url: "http://s/albums" }
      \(proof)
      effect: create
      idempotency: { key: "\(key)" }
    """
  }
  private static let chargeKey = "{ key: \"charge-${{ item.key }}\" }"
  private static let chargeID = "  outputs: { id: \"${{ response.json.id }}\" }\n"
  private static func delete(_ name: String) -> String {
    "- request: { method: DELETE, url: \"http://s/charges/${{ \(name) }}\" }"
  }
  /// An id that expires under a creating step, which the server reports with the status.
  private static func dead(_ status: Int) -> String {
    (mortal + upload + publish("idempotency: { key: \"publish-${{ item.key }}\" }"))
      .replacing("404", with: "\(status)")
  }
  private static let refused = upload.replacing(
    "expired: allocate }",
    with: "expired: allocate }, { if: \"${{ response.status == 400 }}\", then: fail }")

  static let examples: [Example] = [
    Example(name: "a key", steps: allocate + upload),
    Example(
      name: "a key behind an id that lives",
      steps: (allocate + upload + publish(key))
        .replacing(
          "  on: [{ if: \"${{ response.status == 404 }}\", expired: allocate }]\n", with: "")),
    Example(
      name: "a probe that knows an effect by an expired id",
      steps: mortal + upload + publish(probe(isComplete))),
    Example(
      name: "a key of the author's that outlives the id",
      steps: mortal + upload + publish("idempotency: { key: \"publish-${{ item.key }}\" }")),
    Example(
      name: "a probe that lags as long as it is asked",
      steps: allocate + upload
        + publish(
          probe(isComplete).replacing("until: 30s", with: "after: 10s, interval: 2s, until: 1m"))),
    Example(
      name: "a probe that may lag behind a key",
      steps: allocate + upload
        + publish(key + "\n  " + probe(isComplete).replacing(", until: 30s", with: ""))
        .replacing(
          "  on: [{ if: \"${{ response.status == 404 }}\", expired: allocate }]\n", with: "")),
    Example(
      name: "a poll whose example says that it waits",
      steps: allocate + """
        - id: wait
          request: { url: "http://s/w/${{ steps.allocate.id }}", example: { status: 202 } }
          on: [{ if: "${{ response.status == 202 }}", then: poll, after: 10s }]
        """),
    Example(
      name: "a batch with a key",
      steps: allocate + upload + """
        - id: publish
          depends_on: [upload]
          batch: { items: 2, within: 10s, entry: "${{ steps.allocate.id }}" }
          request: { method: POST, url: "http://s/publish", json: { ids: "${{ batch.entries }}" }, example: { json: { all: "${{ batch.entries.map(one, {'id': one, 'status': 200}) }}" } } }
          effect: create
          idempotency: { header: Idempotency-Key }
          results:
            each: ${{ response.json.all.filter(one, one.id == batch.entry)[0] }}
            on: [{ if: "${{ batch.result.status == 200 }}", then: success }, { then: pause }]
        """),
    Example(
      name: "idempotent methods",
      steps: """
        - { id: put, request: { method: PUT, url: "http://s/${{ file.name }}" }, \(proof) }
        - { id: look, depends_on: [put], request: { url: "http://s/${{ file.name }}" } }
        - { id: drop, depends_on: [look], request: { method: DELETE, url: "http://s/${{ file.name }}" }, \(proof) }
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
      name: "an effect that is taken back and made again under another key",
      steps: charge(key.replacing("idempotency: ", with: ""), chargeID),
      abandon: delete("steps.charge.id")),
    Example(
      name: "an effect without a name that is taken back and made again under another key",
      steps: charge(key.replacing("idempotency: ", with: "")), abandon: delete("item.key")),
    Example(
      name: "an id that has expired with 410 behind a key", steps: dead(410)),
    Example(
      name: "an id that has expired with 422 behind a key", steps: dead(422)),
    Example(
      name: "a key of the author's that is the item's in another form",
      steps: mortal + upload
        + publish("idempotency: { key: \"${{ hex(sha256('publish ' + item.key)) }}\" }")),
    Example(
      name: "a key of the author's that is the digest of what is published",
      run: """
        - id: list
          request: { url: "http://s/list", example: { json: { all: [{ sha256: aa }, { sha256: bb }] } } }
          outputs: { all: "${{ response.json.all }}" }
        """,
      list: "steps.list.all",
      steps: """
        - id: publish
          request: { method: POST, url: "http://s/posts" }
          \(proof)
          effect: create
          idempotency: { key: "publish-${{ file.sha256 }}" }
        """),
    Example(
      name: "a login",
      run: """
        - id: sign_in
          request: { method: POST, url: "http://s/login" }
          effect: repeatable
          outputs: { token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } } }
        """,
      steps: """
        - id: upload
          upload: { url: "http://s/${{ file.relative }}", bearer: "${{ steps.sign_in.token }}", file: "${{ file }}" }
          \(proof)
        """, words: ["sign_in"]),
    Example(
      name: "a token that is refreshed in flight",
      run: """
        - id: sign_in
          request: { method: POST, url: "http://s/login" }
          effect: repeatable
          outputs: { token: { value: "${{ response.json.token }}", secret: true, expires: { in: 1h } } }
        """,
      steps: """
        - id: upload
          upload: { url: "http://s/${{ file.relative }}", bearer: "${{ steps.sign_in.token }}", file: "${{ file }}", renew: [challenge] }
          \(proof)
        """, words: ["sign_in"]),
    Example(
      name: "a download",
      steps: """
        - { id: fetch, download: { url: "http://s/${{ file.name }}", max_size: 10 MB }, \(proof) }
        - { id: tell, request: { method: PUT, url: "http://s/seen/${{ steps.fetch.file.size }}" }, \(proof) }
        """),
    Example(
      name: "a post that may be repeated",
      steps: "- { id: ping, request: { method: POST, url: \"http://s/ping\" } }", words: ["ping"]),
    // Rests on assumptions.
    Example(
      name: "a lagging probe that is believed at once",
      steps: allocate + upload + publish(probe(isComplete).replacing(", until: 30s", with: "")),
      words: ["publish"]),
    Example(
      name: "a response that is called refused",
      steps: allocate + upload
        + publish(probe(isComplete)).replacing(
          "expired: allocate }]",
          with:
            "expired: allocate }, { if: \"${{ response.status == 401 }}\", then: retry, refused: true }]"
        ),
      words: ["publish"]),
    Example(
      name: "a key of the author's that two items of one size share",
      steps: allocate + upload + publish("idempotency: { key: \"publish-${{ file.size }}\" }"),
      words: ["publish"]),
    Example(
      name: "a key of the author's that the first items of two runs share",
      steps: allocate + upload
        + publish("idempotency: { key: \"${{ run.id }}-${{ item.index }}\" }"),
      words: ["publish"]),
    Example(
      name: "a key of the author's that reads the item's key and shortens it",
      steps: allocate + upload
        + publish("idempotency: { key: \"${{ file.size }}-${{ item.key.size() }}\" }"),
      words: ["publish"]),
    Example(
      name: "a key of the author's that two runs share", run: album("album"),
      steps: allocate + upload,
      words: ["album"]),
    Example(
      name: "a key of the author's that two runs of one name share", run: album("${{ run.id }}"),
      steps: allocate + upload, words: ["album"]),
    // Not safe.
    Example(
      name: "a key that two items share",
      steps: allocate + upload + publish("idempotency: { key: \"${{ file.name }}\" }"),
      finding: "the server treated the second as a repeat of the first"),
    Example(
      name: "a key that two steps share",
      steps: allocate.replacing(key, with: "idempotency: { key: \"${{ item.key }}\" }") + upload
        + publish("idempotency: { key: \"${{ item.key }}\" }"),
      finding: "sends the key of 'allocate'"),
    Example(
      name: "a batch without a key",
      steps: allocate + upload + """
        - id: publish
          depends_on: [upload]
          batch: { items: 2, within: 10s, entry: "${{ steps.allocate.id }}" }
          request: { method: POST, url: "http://s/publish", json: { ids: "${{ batch.entries }}" }, example: { json: { all: "${{ batch.entries.map(one, {'id': one, 'status': 200}) }}" } } }
          effect: create  # pipeline: ignore[unsafe-create] shown
          results:
            each: ${{ response.json.all.filter(one, one.id == batch.entry)[0] }}
            on: [{ if: "${{ batch.result.status == 200 }}", then: success }, { then: pause }]
        """, finding: "twice for one"),
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
      words: ["publish"]),
    Example(
      name: "a wrong probe",
      steps: allocate + upload
        + publish(
          probe(
            "response.json.n == 2",
            ", example: { took_effect: { json: { n: 1 } }, no_effect: { json: { n: 0 } } }")),
      finding: "its probe did not prevent it"),
    Example(
      name: "a compensation that is another effect", steps: allocate + refused,
      abandon:
        "- request: { method: POST, url: \"http://s/refund\", json: { id: \"${{ steps.allocate.id }}\" } }",
      finding: "'on_abandon' twice"),
    Example(
      name: "a key of the author's whose effect is taken back",
      steps: charge(chargeKey, chargeID), abandon: delete("steps.charge.id"),
      finding: "the key of an effect that 'on_abandon' undid"),
    Example(
      name: "a key of the author's whose effect without a name is taken back",
      steps: charge(chargeKey), abandon: delete("item.key"),
      finding: "the key of an effect that 'on_abandon' undid"),
    Example(
      name: "an effect that is not taken back beside one that is",
      steps: charge(key.replacing("idempotency: ", with: "")).replacing(
        "- id: ship",
        with:
          "- id: book\n  request: { method: POST, url: \"http://s/books\" }\n  effect: create\n  "
          + key + chargeID.replacing("  outputs", with: "\n  outputs") + "- id: ship"),
      abandon: delete("steps.book.id"), finding: "'on_abandon' does not undo it"),
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
          upload: { url: "http://s/${{ file.relative }}", bearer: "${{ steps.share.token }}", file: "${{ file }}" }
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
          on: [{ if: "${{ response.status >= 200 }}", then: poll, after: 1h }]
        """, finding: "the run never ends"),
  ]

  @Test func `assumptions are certified only for those who accept them`() throws {
    let ping = try #require(Self.examples.first { $0.words == ["ping"] })
    let safety = try CrashVerifierTests.verify(ping.text, pairs: 2000, isWhole: true)
    for accepts in [false, true] {
      let text = CrashSafetyReport([safety], acceptsAssumptions: accepts).text()
      #expect(text.contains(": certified under assumptions") == accepts)
    }
    #expect(safety.verdict == .assumed)
  }

  @Test(arguments: examples + unproven)
  func `each step is reported as safe or not, with the reason`(example: Example) throws {
    let pairs = TestSupport.TestFiles.isThorough ? 100 : example.finding == nil ? 0 : 10
    let safety = try CrashVerifierTests.verify(example.text, pairs: pairs)
    let text = CrashSafetyReport([safety]).text()
    let wanted: Set<CrashSafety.Certification> =
      example.finding != nil || safety.effort.isCut || safety.effort.untried > 0
      ? [.unsafe, .incomplete] : [example.words.isEmpty ? .certified : .assumed]
    if example.finding == nil {
      #expect(safety.counterexamples.isEmpty && safety.steps.allSatisfy(\.isReached), "\(text)")
    }
    #expect(wanted.contains(safety.verdict), "\(text)")
    if let finding = example.finding { #expect(text.contains(finding), "\(text)") }
    for step in safety.steps where safety.counterexamples.contains(where: { $0.step == step.id }) {
      #expect(step.grade == .unsafe && !step.isSafe, "\(text)")
    }
    if example.finding == nil {
      let words = safety.steps.filter { $0.grade == .assumed }.map(\.id.rawValue)
      #expect(Set(words) == example.words)
      #expect(words.isEmpty || text.contains("\(words.count) under assumptions"), "\(text)")
    }
  }
}
