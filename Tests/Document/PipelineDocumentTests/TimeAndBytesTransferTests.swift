import Basics
import PipelineDocument
import Testing

struct TimeAndBytesTransferTests {
  private static let photos = """
    pipeline: example
    inputs:
      photos: { type: files }
      interval: { type: duration, default: 10s }
    budgets: { transfers: 600 }
    steps:
      - id: hello
        request: { url: "https://example.com/" }
        on: [{ if: "${{ response.status == 202 }}", then: poll, after: 1h }]
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 100
        steps:
          - id: send
            upload:
              url: https://example.com/${{ urlEscape(photo.name) }}
              query: { size: "${{ photo.size }}", "X-Amz-Expires": "900" }
              headers: { X-Sent-At: "${{ string(now) }}", X-Amz-Content-Sha256: UNSIGNED-PAYLOAD }
              file: ${{ photo }}
          - id: processed
            request: { url: "https://example.com/${{ urlEscape(photo.name) }}", headers: { Date: "${{ string(now) }}" } }
            on: [{ if: "${{ response.status == 202 }}", then: poll, after: "${{ inputs.interval }}" }]
    """

  private static let late = "poll-beyond-allowance: the next poll is never sent in the background: "
  private static let stale =
    """
    is computed when the upload is queued, but sent up to 7 d later: servers refuse an old signature
    """

  @Test(arguments: [
    Change("", ""),
    Change(
      "default: 10s", "default: 30s",
      late + """
        it comes after 30 s with the default of the input 'interval', but a process woken by a \
        finished transfer gets 30 s
        """),
    Change("default: 10s", "default: 29s"),
    Change("default: 10s", "required: true"),
    Change("X-Sent-At", "x-amz-date", "signature-in-queue: the header 'x-amz-date' " + stale),
    Change(
      "size: \"${{ photo.size }}\"", "X-Amz-Signature: \"${{ string(now) }}\"",
      "signature-in-queue: the query item 'X-Amz-Signature' " + stale),
    Change(
      "headers: { X-Sent-At: \"${{ string(now) }}\", X-Amz-Content-Sha256: UNSIGNED-PAYLOAD }",
      "bearer: \"${{ string(now) }}\"", "signature-in-queue: the bearer token " + stale),
    Change(
      "concurrency: 100", "concurrency: 101",
      "too-many-transfers: up to 101 uploads are queued at once, but a transfer service handles about 100"
    ),
    Change(
      "concurrency: 100", "concurrency: 700",
      """
      too-many-transfers: up to 600 uploads are queued at once, but a transfer service handles \
      about 100; creating them needs 600 × 9 ms = 5.4 s of the 5 s that an app has when it leaves the \
      foreground
      """),
    Change("transfers: 600", "transfers: 100"),
  ])
  func `a request that a transfer service cannot perform is reported`(_ change: Change) throws {
    try change.check(in: Self.photos)
  }

  @Test func `a signature that is recomputed after a refusal is accepted`() throws {
    let text = Self.photos.replacing("X-Sent-At", with: "x-amz-date")
    let change = Change(
      "      - id: processed",
      "        on: [{ if: \"${{ response.status == 403 }}\", then: retry }]\n      - id: processed")
    #expect(try change.findings(in: text).isEmpty)
  }

  @Test func `the place of too many transfers is the budget, else the concurrency`() throws {
    let text = Self.photos.replacing("concurrency: 100", with: "concurrency: 200")
    let budget = try Change("", "").findings(in: text)
    #expect(budget.map(\.range.start) == [SourcePosition(line: 5, column: 23)])
    let none = try Change("budgets: { transfers: 600 }\n", "").findings(in: text)
    #expect(none.map(\.range.start) == [SourcePosition(line: 11, column: 18)])
  }
}
