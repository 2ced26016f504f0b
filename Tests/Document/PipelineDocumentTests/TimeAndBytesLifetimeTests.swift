import Basics
import PipelineDocument
import Testing

struct TimeAndBytesLifetimeTests {
  private static let upload = """
    pipeline: example
    inputs:
      photo: { type: file }
      life: { type: duration, default: 2h }
    steps:
      - id: sign_in
        request: { method: POST, url: "https://example.com/login" }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true, expires: { in: 30d } }
      - id: allocate
        request: { method: POST, url: "https://example.com/uploads" }
        effect: repeatable
        outputs:
          upload_id: { value: "${{ response.json.id }}", expires: { in: "${{ inputs.life }}", skew: 60s } }
      - id: send
        upload:
          url: https://example.com/uploads/${{ steps.allocate.upload_id }}
          bearer: ${{ steps.sign_in.token }}
          file: ${{ inputs.photo }}
          resource_timeout: 1h
        on:
          - { if: "${{ response.status == 422 }}", then: retry }
    """

  private static let identifier =
    "upload-outlives-identifier: the upload may wait in the queue for up to "
  private static let credential =
    "upload-outlives-credential: the upload may wait in the queue for up to "

  @Test(arguments: [
    Change("", ""),
    // Equal is no longer: the author followed the advice.
    Change("timeout: 1h", "timeout: 2h"),
    Change(
      "timeout: 1h", "timeout: 3h",
      identifier + """
        3 h, but 'steps.allocate.upload_id' in it is valid for 2 h − 60 s skew = 1 h 59 min \
        with the default of the input 'life'
        """),
    Change(
      "\"${{ inputs.life }}\", skew: 60s", "30m",
      identifier + """
        1 h, but 'steps.allocate.upload_id' in it is valid for 30 min − 5 s skew = 29 min 55 s
        """, "unused-input: the input 'life' is never used"),
    // A life that is written as a point in time.
    Change(
      "{ in: 30d }", "{ at: \"${{ now + duration('60s') }}\" }",
      credential + """
        1 h with unchanged headers, but 'steps.sign_in.token' in them is valid for 60 s − 5 s skew = 55 s
        """),
    Change("{ in: 30d }", "{ at: \"${{ timestamp(response.json.end) }}\" }"),
    Change("{ in: 30d }", "{ at: \"${{ timestamp('2030-01-01T00:00:00Z') }}\" }"),
    Change(
      "in: 30d", "in: 1m",
      credential + """
        1 h with unchanged headers, but 'steps.sign_in.token' in them is valid for 60 s − 5 s skew = 55 s
        """),
  ])
  func `an upload that may wait longer than its inputs are valid is reported`(
    _ change: Change
  ) throws {
    let found = try change.findings(in: Self.upload).filter { $0.code != .uploadTimeoutTooShort }
      .map { "\($0.code.rawValue): \($0.message)" }
    #expect(Set(found) == Set(change.said))
    #expect(found.count == change.said.count)
  }

  @Test(arguments: [
    "expired: allocate", "then: retry", "then: poll", "then: pause", "then: success",
    "expired: sign_in",
  ])
  func `an entry that matches the refusal handles it`(_ outcome: String) throws {
    let text = Self.upload.replacing("timeout: 1h", with: "timeout: 3h")
    for condition in [
      "response.status == 410", "response.status >= 400", "response.json.code == 'gone'",
    ] {
      let change = Change(
        "{ if: \"${{ response.status == 422 }}\", then: retry }",
        "{ if: \"${{ \(condition) }}\", \(outcome) }")
      #expect(try change.findings(in: text).isEmpty, "\(condition)")
    }
  }

  @Test(arguments: [
    "{ if: \"${{ response.status == 401 }}\", expired: sign_in }",
    "{ if: \"${{ response.status in [404, 410] }}\", then: fail }", "{ then: fail }",
  ])
  func `an entry that fails, or is about another refusal, does not`(_ entry: String) throws {
    let text = Self.upload.replacing("timeout: 1h", with: "timeout: 3h")
    let change = Change("{ if: \"${{ response.status == 422 }}\", then: retry }", entry)
    #expect(try change.findings(in: text).map(\.code) == [.uploadOutlivesIdentifier])
  }

  @Test(arguments: [
    Change("", ""),
    Change(
      "skew: 60s", "skew: 2h",
      """
      lifetime-within-skew: the skew of 'upload_id' is 2 h, but its lifetime is 2 h with the \
      default of the input 'life': half of the lifetime is used instead
      """),
    Change(
      "in: 30d", "in: 0s",
      "lifetime-within-skew: 'token' expires as soon as it is created: its lifetime is 0 s"),
    Change(
      "in: 30d", "in: 30d, skew: 31d",
      """
      lifetime-within-skew: the skew of 'token' is 31 d, but its lifetime is 30 d: half of the \
      lifetime is used instead
      """),
    Change("in: 30d", "in: 30d, skew: 29d"),
  ])
  func `a skew that is as long as the life is reported`(_ change: Change) throws {
    try change.check(in: Self.upload)
  }

  @Test func `a skew that is too long is a warning, a life of nothing that is read an error`()
    throws
  {
    let rests = try Change("skew: 60s", "skew: 2h").findings(in: Self.upload)
    #expect(rests.map(\.severity) == [.warning])
    let unread = try Change("bearer: ${{ steps.sign_in.token }}", "").findings(
      in: Self.upload.replacing("in: 30d", with: "in: 0s"))
    #expect(unread.map(\.code) == [.unusedOutput, .lifetimeWithinSkew])
    #expect(unread.map(\.severity) == [.warning, .warning])
    let long = try Change("in: 30d", "in: 30d, skew: 30d").findings(in: Self.upload)
    #expect(long.map(\.severity) == [.warning])
    #expect(long.map(\.range.start) == [SourcePosition(line: 10, column: 93)])
    let sure = try Change("in: 30d", "in: 0s").findings(in: Self.upload)
    #expect(sure.map(\.severity) == [.error])
  }

  private static let poll = """
    pipeline: example
    steps:
      - id: begin
        request: { method: POST, url: "https://example.com/exports" }
        effect: repeatable
        outputs:
          ticket: { value: "${{ response.json.id }}", expires: { in: 5m } }
      - id: wait
        request: { url: "https://example.com/exports/${{ steps.begin.ticket }}" }
        on:
          - { if: "${{ response.status == 202 }}", then: poll, after: 4m }
    """

  private static let tooLate = """
    expires-before-use: 'steps.begin.ticket' expires before the next poll: the interval of \
    5 min is not shorter than its 4 min 55 s, so each poll reissues it
    """
  private static let tooSlow = """
    expires-before-use: 'steps.begin.ticket' can expire while 'wait' uses it: the request may \
    last 30 s, but the value is valid for 10 s − 1 s skew = 9 s
    """

  @Test(arguments: [
    Change("", ""), Change("after: 4m", "after: 5m", tooLate),
    // A response that is retried was not expected.
    Change("then: poll, after: 4m", "then: retry, after: 5m"),
    // A credential is renewed, and the poll asks about the same thing.
    Change(
      "/${{ steps.begin.ticket }}\"", "\", bearer: \"${{ steps.begin.ticket }}\"",
      "unprotected-secret: the output 'ticket' authorizes requests but is stored as plain text"),
    Change(
      "in: 5m", "in: 31s",
      """
      expires-before-use: 'steps.begin.ticket' expires before the next poll: the interval of \
      4 min is not shorter than its 27.9 s, so each poll reissues it
      """),
  ])
  func `an identifier that has expired by the next poll is reported`(_ change: Change) throws {
    try change.check(in: Self.poll)
  }

  @Test(arguments: [
    Change("in: 5m", "in: 30s"),
    Change("in: 5m", "in: 10s", tooSlow),
    Change("ticket }}\" }", "ticket }}\", timeout: 5s }"),
  ])
  func `a request that may outlast its identifier is reported`(_ change: Change) throws {
    let text = Self.poll.replacing(
      "202 }}\", then: poll, after: 4m", with: "422 }}\", then: skip_item"
    )
    .replacing("then: skip_item", with: "then: fail")
    try change.check(in: text)
  }

  private static let once = """
    pipeline: example
    inputs: { photos: { type: files } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            max_reissues: 0
            effect: repeatable
            outputs:
              id: { value: "${{ response.json.id }}", expires: { in: 8d } }
          - id: send
            upload:
              url: https://example.com/uploads/${{ steps.allocate.id }}
              file: ${{ photo }}
            retry: { attempts: 1 }
          - id: finalize
            request: { method: POST, url: "https://example.com/uploads/${{ steps.allocate.id }}/end" }
    """

  private static let noRenewal = """
    expires-before-use: 'steps.allocate.id' can expire before 'finalize' finishes, and \
    'max_reissues: 0' forbids reissuing it: up to 7 d 3 min 31 s can pass until then, of which \
    'send' needs 7 d
    """

  @Test(arguments: [
    Change("", ""),
    Change(
      "in: 8d", "in: 7d",
      """
      expires-before-use: 'steps.allocate.id' can expire before 'send' finishes, and \
      'max_reissues: 0' forbids reissuing it: up to 7 d can pass until then, of which 'send' \
      needs 7 d
      """, noRenewal),
    Change(
      "attempts: 1 ", "attempts: 2 ",
      """
      expires-before-use: 'steps.allocate.id' can expire before 'send' finishes, and \
      'max_reissues: 0' forbids reissuing it: up to 14 d 1 s can pass until then, of which \
      'send' needs 14 d 1 s
      """,
      noRenewal.replacing("7 d 3 min 31 s", with: "14 d 3 min 32 s")
        .replacing("'send' needs 7 d", with: "'send' needs 14 d 1 s")),
    Change("attempts: 1 ", "attempts: 9, elapsed: 7d "),
  ])
  func `an output that is issued once must be valid until its last reader`(
    _ change: Change
  ) throws {
    try change.check(in: Self.once)
  }

  private static let film = """
    pipeline: example
    inputs: { film: { type: file }, chunk: { type: size, default: 16 GiB } }
    steps:
      - id: allocate
        request: { method: POST, url: "https://example.com/uploads" }
        effect: repeatable
        outputs: { id: { value: "${{ response.json.id }}", expires: { in: 3m } } }
      - id: part
        materialize:
          file: ${{ inputs.film }}
          range: { offset: "${{ 0 }}", length: "${{ inputs.chunk }}" }
      - id: send
        upload:
          url: https://example.com/uploads/${{ steps.allocate.id }}
          file: ${{ steps.part.file }}
        on: [{ if: "${{ response.status == 404 }}", expired: allocate }]
      - id: finalize
        request: { method: POST, url: "https://example.com/uploads/${{ steps.allocate.id }}" }
    """

  @Test func `an upload that is longer than its identifier's lifetime does not make progress`()
    throws
  {
    #expect(try Change("", "").findings(in: Self.film).isEmpty)
    let short = try Change("in: 3m", "in: 2m").findings(in: Self.film)
    #expect(short.map(\.code) == [.expiresBeforeUse, .expiresBeforeUse])
    #expect(short.map(\.severity) == [.warning, .warning])
    #expect(
      short.last?.message == """
        'steps.allocate.id' expires before 'finalize' finishes: the upload 'send' needs at least \
        16 GiB / 1 Gbit/s = 2 min 17 s with the default of the input 'chunk', but the value can \
        only be used for 115 s
        """)
  }
}
