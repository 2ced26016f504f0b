import PipelineDocument
import Testing

/// What the checks of conditions and safety say of steps that use other files.
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
}
