import PipelineCore
import PipelineDocument
import Testing

/// A document that is long enough to be checked in parts is checked as one.
struct LongDocumentTests {
  private static let head = """
    pipeline: long
    inputs: { server: { type: url }, photos: { type: files } }
    steps:

    """

  /// A loop of three steps in which something is wrong at each level: of keys, names, types and meaning.
  private static func loop(_ number: Int) -> String {
    """
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: a\(number)
            request: { url: "${{ inputs.server }}/${{ photo.size + 'x' }}", metod: GET }
            outputs: { id: "${{ response.json.id }}" }
          - id: b\(number)
            request: { url: "${{ inputs.server }}/${{ steps.a\(number).idd }}" }
            on:
              - if: ${{ response.status == 1000 }}
                then: fail
          - id: c\(number)
            if: ${{ photo.nam == 'x' }}
            request: { url: "${{ inputs.sever }}" }

    """
  }

  private static func found(_ text: String) -> [(line: Int, text: String)] {
    PipelineDocument.load(text: text, file: "long.yaml").diagnostics.map { diagnostic in
      (
        diagnostic.range.start.line,
        "\(diagnostic.range.start.column) \(diagnostic.code) \(diagnostic.message) \(diagnostic.help ?? "")"
      )
    }
  }

  @Test func `every part says what it says in a short document`() {
    let lines = Self.loop(0).split(separator: "\n", omittingEmptySubsequences: false).count - 1
    let long = Self.found(Self.head + (100..<200).map(Self.loop).joined())
    var expected: [(line: Int, text: String)] = []
    for number in 100..<200 {
      let short = Self.found(Self.head + Self.loop(number))
      #expect(short.count >= 5)
      expected += short.map { ($0.line + (number - 100) * lines, $0.text) }
    }
    #expect(long.map(\.line) == expected.map(\.line))
    #expect(long.map(\.text) == expected.map(\.text))
  }

  @Test func `a long document without errors becomes a pipeline with its steps in order`() throws {
    let loops = (100..<200).map { number in
      """
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: a\(number)
              request: { url: "${{ inputs.server }}/${{ urlEscape(photo.name) }}" }
              outputs: { id: "${{ response.json.id }}" }
            - id: b\(number)
              request: { url: "${{ inputs.server }}/${{ steps.a\(number).id }}" }
        - id: between\(number)
          request: { url: "${{ inputs.server }}/done" }

      """
    }
    let result = PipelineDocument.load(text: Self.head + loops.joined(), file: "long.yaml")
    #expect(result.diagnostics.filter { $0.severity == .error } == [])
    let pipeline = try #require(result.pipeline)
    #expect(
      pipeline.steps.map(\.id.description)
        == (100..<200).flatMap { ["a\($0)", "b\($0)", "between\($0)"] })
    #expect(pipeline.loops.map(\.steps) == (0..<100).map { [3 * $0, 3 * $0 + 1] })
    #expect(pipeline.steps[4].uses.map(\.step) == [3])
  }

  @Test func `comments silence in each part, and idle ones are told`() {
    let loops = (100..<200).map { number in
      """
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            # pipeline: ignore[insecure-url] tested
            - { id: a\(number), request: { url: "http://example.com/${{ inputs.server }}" } }
            # pipeline: ignore[insecure-url] idle
            - { id: b\(number), request: { url: "https://example.com/${{ urlEscape(photo.name) }}" } }

      """
    }
    let diagnostics = PipelineDocument.load(
      text: Self.head + loops.joined(), file: "long.yaml"
    ).diagnostics
    #expect(diagnostics.count { $0.code == .unusedIgnore } == 100)
    #expect(!diagnostics.contains { $0.code == .insecureURL })
  }
}
