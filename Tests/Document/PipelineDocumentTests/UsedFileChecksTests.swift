import PipelineDocument
import Testing

/// The findings of the checks of conditions and safety about steps that use other files.
struct UsedFileChecksTests {
  private func codes(_ text: String, using other: String) -> [String] {
    let files = DocumentFiles { $0 == "other.yaml" ? Array(other.utf8) : nil }
    return PipelineDocument.load(text: text, file: "a.yaml", files: files).diagnostics
      .map { "\($0.range.file): \($0.code.rawValue)" }
  }

  private static let signIn = """
    pipeline: sign-in
    inputs: { key: { type: secret } }
    outputs: { token: "${{ steps.login.token }}" }
    steps:
      - id: login
        request: { url: "https://example.com/login", headers: { X-Api-Key: "${{ inputs.key }}" } }
        outputs: { token: { value: "${{ response.json.token }}", secret: true } }
    """

  private func main(_ condition: String, _ request: String) -> String {
    """
    pipeline: example
    inputs: { key: { type: secret }, all: { type: bool } }
    steps:
      - id: auth
        if: ${{ \(condition) }}
        use: other.yaml
        with: { key: "${{ inputs.key }}" }
      - id: ping
        if: ${{ inputs.all }}
        request: { url: "https://example.com/ping", \(request) }
    """
  }

  @Test func `a secret of a used file is one in the file that uses it`() {
    let url = #"query: { token: "${{ steps.auth.token }}" }"#
    #expect(codes(main("inputs.all", url), using: Self.signIn) == ["a.yaml: secret-in-url"])
    let bearer = #"bearer: "${{ steps.auth.token }}""#
    #expect(codes(main("inputs.all", bearer), using: Self.signIn) == [])
  }

  @Test func `a step that uses a file may be skipped like others`() {
    let bearer = #"bearer: "${{ steps.auth.token }}""#
    #expect(
      codes(main("inputs.key != ''", bearer), using: Self.signIn) == ["a.yaml: skipped-output"])
  }

  @Test func `mistakes in a used file are reported for that file`() {
    let bearer = #"bearer: "${{ steps.auth.token }}""#
    let other = Self.signIn.replacing("https:", with: "http:")
    #expect(codes(main("inputs.all", bearer), using: other) == ["other.yaml: unencrypted-secret"])
  }

  private static let piece = """
    pipeline: piece
    inputs: { source: { type: file } }
    steps:
      - id: body
        materialize: { file: "${{ inputs.source }}", range: { offset: "${{ 0 }}", length: "${{ 100 * MiB }}" } }
      - id: send
        upload: { url: "https://example.com/x", file: "${{ steps.body.file }}" }
    """

  private func films(concurrency: Int, disk: String) -> String {
    """
    pipeline: films
    inputs: { films: { type: files } }
    budgets: { disk: \(disk) }
    steps:
      - for_each: film
        in: ${{ inputs.films }}
        concurrency: \(concurrency)
        steps: [{ id: part, use: other.yaml, with: { source: "${{ film }}" } }]
    """
  }

  @Test func `the bytes of a used file's steps count in the budget of the file that uses it`() {
    #expect(
      codes(films(concurrency: 8, disk: "512 MiB"), using: Self.piece)
        == ["a.yaml: concurrency-beyond-disk"])
    #expect(codes(films(concurrency: 5, disk: "512 MiB"), using: Self.piece) == [])
  }

  @Test func `a mistake of time in a used file is reported once, for that file`() {
    let unused = Self.piece.replacing(
      "  - id: send\n    upload: { url: \"https://example.com/x\", file: \"${{ steps.body.file }}\" }",
      with: "")
    #expect(
      codes(films(concurrency: 1, disk: "512 MiB"), using: unused) == ["other.yaml: unused-file"])
  }
}
