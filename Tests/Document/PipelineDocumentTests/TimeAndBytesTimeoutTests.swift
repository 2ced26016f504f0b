import Basics
import PipelineDocument
import Testing

struct TimeAndBytesTimeoutTests {
  private static let finalize = """
    pipeline: example
    inputs: { photo: { type: file } }
    retry:
      patient: { attempts: 10, backoff: { initial: 2s, max: 4s } }
    steps:
      - id: send
        upload: { url: "https://example.com/photo", file: "${{ inputs.photo }}", resource_timeout: 7d }
      - id: finalize
        request: { method: POST, url: "https://example.com/photo/end", timeout: 10s }
        retry: { attempts: 4, backoff: { initial: 2s }, elapsed: 1h }
      - id: last
        request: { url: "https://example.com/photo" }
        retry: patient
    """

  private static let beyond =
    "retries-do-not-fit: the attempts do not fit one resume after an upload: "

  @Test(arguments: [
    Change("", ""),
    Change(", elapsed: 1h", "", beyond + "4 × 10 s + back-off 14 s = 54 s > 30 s"),
    Change(
      "initial: 2s }, elapsed: 1h", "initial: 2s, factor: 1 }",
      beyond + "4 × 10 s + back-off 6 s = 46 s > 30 s"),
    Change(
      "attempts: 4, backoff: { initial: 2s }, elapsed: 1h", "attempts: 2, backoff: { initial: 10s }"
    ),
    // More than ten attempts are as many as there is time for.
    Change("attempts: 4, backoff: { initial: 2s }, elapsed: 1h", "attempts: 11"),
    Change("attempts: 4, backoff: { initial: 2s }, elapsed: 1h", "exhausted: fail"),
    Change(", timeout: 10s", ""),
    Change(
      "photo\" }\n    retry: patient", "photo\", timeout: 1s }\n    retry: patient",
      beyond + "10 × 1 s + back-off 34 s = 44 s > 30 s"),
    Change(
      "elapsed: 1h", "elapsed: 53s",
      "retries-do-not-fit: the attempts do not fit 'elapsed': 4 × 10 s + back-off 14 s = 54 s > 53 s"
    ),
    Change("elapsed: 1h", "elapsed: 54s"),
    Change(
      "elapsed: 1h", "elapsed: 9s",
      "retries-do-not-fit: an attempt that times out is never retried: 10 s > 9 s of 'elapsed'"),
  ])
  func `retries that take longer than they may are reported with the sum`(
    _ change: Change
  ) throws {
    try change.check(in: Self.finalize)
  }

  @Test func `the location for retries is the timeout, with the attempts as a note`() throws {
    let found = try Change(", elapsed: 1h", "").findings(in: Self.finalize)
    let only = try #require(found.first)
    #expect(only.range.start == SourcePosition(line: 9, column: 77))
    #expect(only.range.end == SourcePosition(line: 9, column: 80))
    #expect(only.notes.map(\.range.start) == [SourcePosition(line: 10, column: 24)])
  }

  @Test(arguments: [
    Change("timeout: 10s", "timeout: 30s"),
    Change(
      "timeout: 10s", "timeout: 31s",
      """
      timeout-beyond-allowance: the request may last 31 s, but a process woken by a finished \
      transfer gets 30 s
      """),
  ])
  func `a request that is longer than the allowance is reported`(_ change: Change) throws {
    try change.check(in: Self.finalize)
  }

  @Test func `probes and compensations are requests too`() throws {
    let text = """
      pipeline: example
      inputs: { photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: send
              upload: { url: "https://example.com/${{ urlEscape(photo.name) }}", file: "${{ photo }}" }
              probe:
                request: { url: "https://example.com/${{ urlEscape(photo.name) }}", timeout: 1m }
                took_effect: ${{ response.status == 200 }}
          on_abandon:
            - request: { method: DELETE, url: "https://example.com/${{ urlEscape(photo.name) }}" }
            - request: { method: DELETE, url: "https://example.com/a", timeout: 1m }
      """
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    let own = found.filter { $0.code == .timeoutBeyondAllowance }
    #expect(own.map(\.range.start.line) == [10, 14])
  }

  @Test func `without an upload, no process is resumed, and a request may be slow`() {
    let text = """
      pipeline: example
      steps:
        - id: ping
          request: { url: "https://example.com/ping", timeout: 10m }
      """
    #expect(PipelineDocument.load(text: text, file: "a.yaml").diagnostics.isEmpty)
  }

  private static let large = """
    pipeline: example
    inputs: { film: { type: file }, chunk: { type: size, default: 64 GB } }
    steps:
      - id: part
        materialize:
          file: ${{ inputs.film }}
          range: { offset: "${{ 0 }}", length: "${{ inputs.chunk }}" }
      - id: body
        materialize: { multipart: [{ name: file, file: "${{ steps.part.file }}" }] }
      - id: send
        upload: { url: "https://example.com/film", file: "${{ steps.body.file }}", resource_timeout: 10m }
    """

  @Test(arguments: [
    Change("", ""),
    Change(
      "timeout: 10m", "timeout: 5m",
      """
      upload-timeout-too-short: the upload never finishes in time: 64 GB at 1 Gbit/s = 8 min 32 s with \
      the default of the input 'chunk' > 5 min
      """),
    Change(
      "timeout: 10m", "timeout: 299s",
      """
      upload-timeout-too-short: the upload never finishes in time: 64 GB at 1 Gbit/s = 8 min 32 s with \
      the default of the input 'chunk' > 4 min 59 s
      """),
    Change("default: 64 GB", "default: 1 GB"),
    Change(", resource_timeout: 10m", ""),
  ])
  func `an upload that cannot end in time is reported`(_ change: Change) throws {
    try change.check(in: Self.large)
  }

  @Test func `an upload has to wait for its turn, however small it is`() throws {
    try Change(
      "timeout: 7d", "timeout: 60s",
      """
      upload-timeout-too-short: the upload has 60 s from the time it is queued, but may wait \
      longer than that for its turn
      """
    ).check(in: Self.finalize)
    try Change("timeout: 7d", "timeout: 5m").check(in: Self.finalize)
  }
}
