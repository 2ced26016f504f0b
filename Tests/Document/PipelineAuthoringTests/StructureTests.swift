import Basics
@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// Highlights, folding and links.
struct StructureTests {
  private static let text = """
    pipeline: a
    inputs: { server: { type: url }, photos: { type: files } }
    retry: { patient: { attempts: 9 } }
    steps:
      - id: ask
        let: { folder: "🙂${{ inputs.server }}" }
        request: { url: "🙂 ${{ inputs.server + folder }}" }
        retry: patient
        outputs: { token: "${{ response.text }}" }
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: send
            request: { url: "${{ inputs.server }}/${{ photo.name + steps.ask.token }}" }

    """

  private static func highlights(_ word: String) -> [String] {
    guard let range = text.firstRange(of: word) else { return ["no '\(word)'"] }
    let place = AnalysisText(text[..<range.lowerBound] + "‸" + text[range.lowerBound...])
    return place.analysis.highlights(at: place.position)
      .map { "\($0.range.start.line):\($0.range.start.column) \($0.kind)" }
  }

  @Test(arguments: ["pipeline", "type: url", "attempts", "response"])
  func `elements without a name are not highlighted`(word: String) {
    #expect(Self.highlights(word) == [])
  }

  @Test(arguments: [
    ("ask", ["5:9 write", "14:70 read"]), ("photo\n", ["10:15 write", "14:51 read"]),
    ("folder", ["6:12 write", "7:44 read"]), ("patient", ["3:10 write", "8:12 read"]),
    ("token", ["9:16 write", "14:74 read"]),
    ("server", ["2:11 write", "6:33 read", "7:35 read", "14:37 read"]),
  ])
  func `a declaration is written, other places read`(word: String, places: [String]) {
    #expect(Self.highlights(word) == places)
  }

  @Test(arguments: ["", "a: 1", "a: 1\nb: 2\n\n\n", "# one comment\na: 1\n", "a: [1,\n"])
  func `a text of single lines does not fold`(text: String) {
    #expect(DocumentAnalysis(text: text, file: "a.yaml").foldingRanges == [])
  }

  @Test func `steps, loops, mappings, block texts and comments fold`() {
    let text = """
      # A comment
      # of two lines.
      pipeline: a

      steps:
      - id: one
        request:
          text: |
            # no comment
            # but text

            end

        # 🙂 a comment
        # of the step
        outputs: {
          a: 1 }
      - for_each: x
        steps:
          - id: two
            wait: 1s

      """
    let ranges = DocumentAnalysis(text: text, file: "a.yaml").foldingRanges
    #expect(
      ranges.map { "\($0.start)-\($0.end) \($0.kind)" } == [
        "1-2 comment", "5-21 region", "6-17 region", "7-12 region", "8-12 region", "14-15 comment",
        "16-17 region", "18-21 region", "19-21 region", "20-21 region",
      ])
  }

  @Test func `a text that is not YAML folds by its indentation`() {
    let text = "steps:\n  - id: a\n    request: {\n     url: \"\n  - id: b\n    x: y: z\n"
    let ranges = DocumentAnalysis(text: text, file: "a.yaml").foldingRanges
    #expect(ranges.map { "\($0.start)-\($0.end)" } == ["1-6", "2-4", "3-4", "5-6"])
  }

  private static let files = DocumentFiles { path in
    ["shared/login.yaml", "../Schemas/a.json", "b.yaml"].contains(path) ? Array("a: 1".utf8) : nil
  }

  private static func links(_ text: String, file: String = "a.yaml") -> [String] {
    DocumentAnalysis(text: text, file: file, files: files).documentLinks.map {
      let range = "\($0.range.start)-\($0.range.end.column)"
      return switch $0.target {
      case .file(let path): "\(range) \(path)"
      case .address(let address): "\(range) \(address)"
      }
    }
  }

  @Test(arguments: [
    "pipeline: a\nsteps:\n  - id: a\n    use: missing.yaml\n", "use: [", "# $schema=missing.json\n",
    "pipeline: a\n# $schema=../Schemas/a.json\n", "pipeline: b.yaml\n", "# $schema=\n",
  ])
  func `only the name of an existing file is a link`(text: String) {
    #expect(Self.links(text) == [])
  }

  @Test func `used files, the tested pipeline and the schema are links`() {
    #expect(
      Self.links(
        """
        # 🙂 yaml-language-server: $schema=../Schemas/a.json and more
        pipeline: a
        use: [b.yaml, "shared/login.yaml"]
        steps:
          - id: a
            use: './shared/login.yaml'
          - id: b
            use: b.yaml
            request: {
        """) == [
          "1:35-52 ../Schemas/a.json", "3:7-13 b.yaml", "3:16-33 shared/login.yaml",
          "6:11-30 shared/login.yaml", "8:10-16 b.yaml",
        ])
    #expect(
      Self.links("test: a\npipeline: b.yaml\ncases: []\n", file: "a.test.yaml") == [
        "2:11-17 b.yaml"
      ])
    #expect(
      Self.links("# $schema=https://a.test/s.json\n") == ["1:11-32 https://a.test/s.json"])
  }
}
