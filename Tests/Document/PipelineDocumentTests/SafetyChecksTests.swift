import Basics
import PipelineDocument
import Testing

/// Almost wrong, and wrong: the cases that the checks of safety and of names distinguish.
struct SafetyChecksTests {
  private func codes(_ text: String) -> [DiagnosticCode] {
    PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
  }

  private func publish(_ idempotency: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      inputs: { album: { type: string }, photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: allocate
              request: { method: POST, url: "https://example.com/${{ inputs.album }}" }
              effect: repeatable
              outputs: { id: "${{ response.json.id }}" }
            - id: publish
              request: { method: POST, url: "https://example.com/${{ steps.allocate.id }}" }
              effect: create
              idempotency: \(idempotency)
              success_if: ${{ has(response.json.id) }}
      """)
  }

  @Test(arguments: [
    #"{ key: "publish-${{ item.key }}" }"#, #"{ header: X-Key, key: "${{ photo.path }}" }"#,
    #"{ key: "${{ inputs.album + run.id + string(item.index) }}" }"#, "{ header: X-Key }",
  ])
  func `a key may read values that are the same in each generation`(_ idempotency: String) {
    #expect(publish(idempotency) == [])
  }

  @Test(arguments: [
    #"{ key: "publish-${{ steps.allocate.id }}" }"#, #"{ key: "${{ item.key + string(now) }}" }"#,
    #"{ key: "${{ inputs.album }}" }"#, "{ key: publish }",
  ])
  func `a key that changes, or is shared by items, is an error`(_ idempotency: String) {
    #expect(publish(idempotency) == [.changingKey])
  }

  @Test(arguments: [
    ("", "", [DiagnosticCode.unprovenEffect]),
    ("success_if: \"${{ has(response.json.id) }}\"", "", []),
    (
      "probe: { request: { url: \"https://example.com/\" }, took_effect: \"${{ response.json.ok }}\" }",
      "", []
    ),
    ("outputs: { id: \"${{ response.json.id }}\" }", "", [.unusedOutput]),
    // Every later step needs it.
    ("", "- { id: last, request: { method: PUT, url: \"https://example.com/\" } }", []),
  ])
  func `a status by itself does not prove that the last step was carried out`(
    _ evidence: String, _ later: String, _ expected: [DiagnosticCode]
  ) {
    for method in ["POST", "PUT"] {
      let found = codes(
        """
        pipeline: example
        steps:
          - id: publish
            request: { method: \(method), url: "https://example.com/" }
            effect: create
            idempotency: { header: Idempotency-Key }
            \(evidence)
          \(later)
        """)
      #expect(found == expected)
    }
  }

  @Test func `a probe may read an encrypted secret, but not one that is lost with the process`()
    throws
  {
    let wrong = try #require(Check.page(for: .probeReadsSecret)?.wrong)
    #expect(codes(wrong).contains(.probeReadsSecret))
    let sealed = wrong.replacing("secret: true", with: "secret: sealed")
    #expect(sealed != wrong)
    #expect(!codes(sealed).contains(.probeReadsSecret))
  }

  private func request(_ members: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      inputs: { key: { type: secret }, server: { type: url }, photos: { type: files } }
      steps:
        - id: sign_in
          request: { url: "${{ inputs.server }}/login", headers: { X-Key: "${{ inputs.key }}" } }
          outputs:
            link: { value: "${{ response.json.link }}", secret: true }
            whole: ${{ response.text }}
            line: ${{ response.text.trim() }}
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: send
              request: { method: POST, \(members) }
            - id: rest
              request: { url: "${{ inputs.server }}/rest", headers: { X-A: "${{ steps.sign_in.line + string(size(steps.sign_in.whole)) }}", X-B: "${{ steps.sign_in.link }}" } }
      """)
  }

  @Test(arguments: [
    #"url: "${{ steps.sign_in.link }}""#, #"url: "${{ steps.sign_in.link + '&part=1' }}""#,
    #"url: "${{ inputs.server }}/${{ hex(hmac_sha256(inputs.key, 'a')) }}""#,
    #"url: "${{ inputs.server }}", query: { size: "${{ size(inputs.key) }}" }"#,
    #"url: "${{ inputs.server + (inputs.key == '' ? '/open' : '/closed') }}""#,
    #"url: "${{ inputs.server }}", json: { key: "${{ inputs.key }}" }"#,
    #"url: "${{ inputs.server }}", basic: { user: a, password: "${{ inputs.key }}" }"#,
    #"url: "http://localhost:8080/a""#, #"url: "http://127.0.0.1/a""#, #"url: "http://[::1]:1/a""#,
    #"url: "http://${{ item.index }}.example.com/""#,
    #"url: "https://example.com/a", headers: { X-Name: "${{ urlEscape(photo.name) }}" }"#,
    #"url: "https://example.com/a", headers: { X-Size: "${{ photo.size }}", X-Key: "${{ item.key }}" }"#,
    #"url: "https://example.com/a", headers: { X-Type: "${{ photo.content_type }}" }"#,
  ])
  func `a request that may be sent is accepted`(_ members: String) {
    #expect(request(members) == [])
  }

  @Test(arguments: [
    (#"url: "${{ inputs.server }}/${{ inputs.key }}""#, DiagnosticCode.secretInURL),
    (#"url: "${{ inputs.server + '/' + urlEscape(inputs.key) }}""#, .secretInURL),
    (#"url: "https://example.com/?sig=${{ steps.sign_in.link }}""#, .secretInURL),
    (
      #"url: "${{ inputs.server }}", query: { a: "${{ inputs.key == '' ? 'a' : inputs.key }}" }"#,
      .secretInURL
    ),
    (#"url: "http://example.com""#, .insecureURL),
    (#"url: "http://127.0.0.1.example.com/a""#, .insecureURL),
    (#"url: "${{ 'http://example.com/' + urlEscape(photo.name) }}""#, .insecureURL),
    (
      #"url: "https://example.com/a", headers: { X-Name: "a; ${{ photo.name + '' }}" }"#,
      .unsafeHeaderValue
    ),
    (
      #"url: "https://example.com/a", headers: { X-Name: "${{ steps.sign_in.whole }}" }"#,
      .unsafeHeaderValue
    ),
    (#"url: "${{ inputs.server }}/a", bearer: "${{ steps.sign_in.whole }}""#, .unsafeHeaderValue),
  ])
  func `a secret that others could read, or that no header can contain, is reported`(
    _ members: String, _ code: DiagnosticCode
  ) {
    #expect(request(members) == [code])
  }

  private func hosts(_ first: String, _ second: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      inputs: { server: { type: url, default: "https://example.org" }, id: { type: string } }
      steps:
        - id: sign_in
          request: { url: "\(first)" }
          outputs: { token: { value: "${{ response.json.token }}", secret: true } }
        - id: ping
          request: { url: "\(second)", headers: { X-Token: "a ${{ steps.sign_in.token }}" } }
        - id: pong
          request: { url: "${{ inputs.server }}/${{ inputs.id }}" }
      """)
  }

  @Test(arguments: [
    ("https://example.com/login", "https://example.com/ping"),
    ("https://login.example.com/", "https://api.example.com:8443/"),
    ("https://login.example.com/", "${{ inputs.server }}/ping"),
    ("https://login.example.co.uk/", "https://www.example.co.uk/"),
    ("https://127.0.0.1/", "https://127.0.0.1:80/"),
    ("https://${{ inputs.id }}.example.com/", "https://a.net/"),
  ])
  func `a credential may go where it may come from`(_ first: String, _ second: String) {
    #expect(hosts(first, second) == [])
  }

  @Test(arguments: [
    ("https://example.com/login", "https://example.net/ping"),
    ("${{ inputs.server }}/login", "https://example.com/ping"),
    ("https://a.co.uk/", "https://b.co.uk/"), ("https://127.0.0.1/", "https://127.0.0.2/"),
    ("https://example.com.evil.net/", "${{ 'https://example.com/' + inputs.id }}"),
  ])
  func `a credential for another owner is reported`(_ first: String, _ second: String) {
    #expect(hosts(first, second) == [.foreignCredential])
  }

  @Test(arguments: [
    (#"bearer: abc"#, 1), (#"bearer: "${{ inputs.key }}""#, 0), (#"bearer: """#, 0),
    (#"basic: { user: a, password: b }"#, 1), (#"basic: { user: a, password: "" }"#, 0),
    (#"basic: { user: "${{ inputs.key }}", password: x }"#, 0),
    (#"headers: { authorization: "Basic YTpi" }"#, 1), (#"headers: { X-Api-Key: a }"#, 1),
    (#"headers: { Accept: a, X-Csrf-Token: x, Cookie: lang=en }"#, 0),
    (#"headers: { Authorization: "Bearer ${{ inputs.key }}" }"#, 0),
  ])
  func `a credential written in the file is reported`(_ members: String, _ count: Int) {
    let found = codes(
      """
      pipeline: example
      inputs: { key: { type: secret } }
      steps:
        - id: a
          request: { url: "https://example.com/", \(members) }
        - id: b
          request: { url: "https://example.com/", basic: { user: a, password: "${{ inputs.key }}" } }
      """)
    #expect(found == Array(repeating: .hardcodedSecret, count: count))
  }

  @Test(arguments: [
    (#"token: "${{ response.text.trim() }}""#, "effect: repeatable,", "", 1),
    (
      #"token: { value: "${{ response.text.trim() }}", secret: true }"#, "effect: repeatable,", "",
      0
    ),
    // What names something at the server too has to be known when the run continues.
    (
      #"token: "${{ response.text.trim() }}""#, "effect: repeatable,", "/${{ steps.a.token }}", 0
    ),
    // The result would be created again.
    (
      #"token: "${{ response.text.trim() }}""#, "effect: create, idempotency: { header: K },", "", 0
    ),
  ])
  func `a token that a repeat returns again is not to be stored`(
    _ output: String, _ effect: String, _ path: String, _ count: Int
  ) {
    let found = codes(
      """
      pipeline: example
      steps:
        - { id: a, request: { method: POST, url: "https://example.com/" }, \(effect) outputs: { \(output) } }
        - id: b
          request: { url: "https://example.com\(path)", bearer: "${{ steps.a.token }}" }
      """)
    #expect(
      found.filter { $0 != .secretInURL } == Array(repeating: .unprotectedSecret, count: count))
  }

  @Test(arguments: [("GET", 1), ("HEAD", 1), ("PUT", 0), ("POST", 0)])
  func `a step that creates or undoes something has a suitable method`(
    _ method: String, _ count: Int
  ) {
    let found = codes(
      """
      pipeline: example
      steps:
        - for_each: name
          in: ${{ ["a"] }}
          steps:
            - id: a
              request: { method: \(method), url: "https://example.com/${{ name }}" }
              effect: create
              idempotency: { header: Idempotency-Key }
              success_if: ${{ has(response.json.id) }}
          on_abandon:
            - request: { method: \(method), url: "https://example.com/${{ name }}" }
      """)
    #expect(found == Array(repeating: .safeMethod, count: 2 * count))
  }

  @Test(arguments: [
    ("http://example.com/", #"bearer: "${{ inputs.key }}""#, DiagnosticCode.unencryptedSecret),
    ("http://example.com/", #"headers: { X-Key: "${{ inputs.key }}" }"#, .unencryptedSecret),
    ("http://example.com/", #"json: { a: [{ b: "${{ inputs.key }}" }] }"#, .unencryptedSecret),
    ("http://example.com/", #"form: { a: "${{ inputs.key }}" }"#, .unencryptedSecret),
    ("http://example.com/", #"json: { a: "${{ run.id }}" }"#, .insecureURL),
    ("http://127.0.0.1/", #"bearer: "${{ inputs.key }}""#, nil),
    ("https://example.com/", #"bearer: "${{ inputs.key }}""#, nil),
  ])
  func `a secret without encryption has a separate finding`(
    _ url: String, _ members: String, _ code: DiagnosticCode?
  ) {
    let found = codes(
      """
      pipeline: example
      inputs: { key: { type: secret } }
      steps:
        - id: a
          request: { method: POST, url: "\(url)", \(members) }
        - id: b
          request: { url: "https://example.com/", bearer: "${{ inputs.key }}" }
      """)
    #expect(found.first == code)
    #expect(found.count == (code == nil ? 0 : 1))
  }

  @Test func `a bearer token is a credential though it is not declared a secret`() {
    let text = """
      pipeline: example
      steps:
        - id: a
          request: { url: "https://example.com/" }
          outputs: { token: "${{ response.json.token }}" }
        - id: b
          request: { url: "https://example.net/", bearer: "${{ steps.a.token }}" }
        - id: c
          request: { url: "https://example.net/", query: { a: "${{ steps.a.token }}" } }
      """
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(found.map(\.code) == [.foreignCredential])
    #expect(found.first?.notes.map(\.range.start.line) == [4])
  }
}
