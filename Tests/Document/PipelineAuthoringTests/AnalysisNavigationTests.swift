import Basics
import CEL
@testable import PipelineAuthoring
import PipelineDocument
import Testing

@testable import PipelineDocument

struct AnalysisNavigationTests {
  private static let text = """
    pipeline: photos
    inputs:
      server: { type: url, default: "http://a.test", description: Root of the API. }
      photos: { type: files, default: "*.jpg" }
    retry:
      patient: { attempts: 9 }
    steps:
      - id: sign_in
        description: Get a token.
        request:
          url: ${{ inputs.server + "/login" }}
        retry: patient
        outputs:
          token: { value: "${{ response.json.token }}", expires: { in: 1h }, secret: true }
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: allocate
            request:
              url: ${{ inputs.server + photo.name }}
              bearer: ${{ steps.sign_in.token }}
            depends_on: [sign_in]
            on:
              - { if: "${{ response.status == 401 }}", expired: sign_in }
            outputs:
              upload_id: ${{ string(response.json.id) }}
          - id: finalize
            request:
              method: POST
              url: ${{ inputs.server + steps.allocate.upload_id + photo.name }}
              text: |
                é🙂 ${{ photo.name }} and
                ${{ inputs.photos.map(photo, photo.name).join(",") }}

    """

  /// The text with a mark before the `number`th occurrence of `word`.
  private static func marked(_ word: String, _ number: Int = 1) -> AnalysisText {
    var rest = Substring(text)
    var before = ""
    for count in 1...number {
      guard let range = rest.firstRange(of: word) else { break }
      before += rest[..<range.lowerBound]
      rest = rest[range.lowerBound...]
      if count < number {
        before += word
        rest = rest.dropFirst(word.count)
      }
    }
    return AnalysisText(before + "‸" + rest)
  }

  private static func word(_ range: TextRange) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = Array(lines[range.start.line - 1].unicodeScalars)
    return String(
      String.UnicodeScalarView(line[(range.start.column - 1)..<(range.end.column - 1)]))
  }

  @Test(arguments: [
    ("sign_in", 2, 8), ("sign_in", 3, 8), ("token }}\"", 1, nil), ("server +", 1, 3),
    ("patient", 2, 6),
    ("upload_id +", 1, 26), ("photo.name", 1, 15), ("response", 1, nil), ("effect", 1, nil),
  ])
  func `a name leads to its declaration`(_ word: String, _ number: Int, _ line: Int?) {
    let place = Self.marked(word, number)
    #expect(place.analysis.definition(at: place.position)?.start.line == line)
  }

  @Test func `the variable of a macro is not the loop's`() {
    let place = Self.marked("photo.name).join")
    #expect(place.analysis.definition(at: place.position) == nil)
  }

  @Test func `references are found in expressions, matchers and dependencies`() {
    let step = Self.marked("sign_in")
    let places = step.analysis.references(at: step.position)
    #expect(places.map(\.start.line) == [8, 21, 22, 24])
    #expect(places.allSatisfy { Self.word($0) == "sign_in" })
    #expect(step.analysis.references(at: step.position, includingDefinition: false).count == 3)
    let loop = Self.marked("photo\n")
    #expect(
      loop.analysis.references(at: loop.position).map(\.start.line) == [15, 20, 30, 32])
    let server = Self.marked("server")
    #expect(server.analysis.references(at: server.position).map(\.start.line) == [3, 11, 20, 30])
  }

  @Test(arguments: [
    ("sign_in", 2, "login"), ("server", 2, "root"), ("token", 2, "jwt"),
    ("upload_id", 2, "ticket"), ("patient", 1, "long-breath"),
  ])
  func `a renamed thing is renamed everywhere`(
    _ word: String, _ number: Int, _ name: String
  ) throws {
    let place = Self.marked(word, number)
    let target = try place.analysis.renameTarget(at: place.position)
    let edits = try place.analysis.rename(at: place.position, to: name)
    #expect(edits.count >= 2)
    let renamed = AnalysisText.replace(
      edits.map { ($0.range, $0.replacement) }, in: Self.text)
    #expect(PipelineDocument.load(text: Self.text, file: "a.yaml").pipeline != nil)
    let result = PipelineDocument.load(text: renamed, file: "a.yaml")
    #expect(result.diagnostics.filter { $0.severity == .error } == [], "\(renamed)")
    // Back again it is the same text.
    let back = DocumentAnalysis(text: renamed, file: "a.yaml")
    let undo = try back.rename(at: edits[0].range.start, to: target.name)
    #expect(
      AnalysisText.replace(undo.map { ($0.range, $0.replacement) }, in: renamed) == Self.text)
  }

  @Test func `a macro's variable keeps its name when the loop's changes`() throws {
    let place = Self.marked("photo\n")
    let edits = try place.analysis.rename(at: place.position, to: "image")
    let renamed = AnalysisText.replace(
      edits.map { ($0.range, $0.replacement) }, in: Self.text)
    #expect(renamed.contains("map(photo, photo.name)"))
    #expect(renamed.contains("🙂 ${{ image.name }}"))
    #expect(PipelineDocument.load(text: renamed, file: "a.yaml").pipeline != nil)
    let back = DocumentAnalysis(text: renamed, file: "a.yaml")
    #expect(throws: RenameRefusal.self) {
      try back.rename(at: edits[0].range.start, to: "photo")
    }
  }

  @Test(arguments: [
    ("sign_in", "Sign", "invalid name"), ("sign_in", "allocate", "already a step 'allocate'"),
    ("sign_in", "photo", "already a loop variable 'photo'"),
    ("server", "photos", "already an input 'photos'"),
    ("server", "in", "'in' is a reserved word"),
    ("photo\n", "inputs", "'inputs' already has a meaning"),
    ("upload_id", "file", "'file' is reserved"),
    ("request", "other", "nothing to rename"), ("server", "", "invalid name"),
  ])
  func `a name that cannot be is refused`(
    _ word: String, _ name: String, _ reason: String
  ) throws {
    let place = Self.marked(word)
    let refusal = #expect(throws: RenameRefusal.self) {
      _ = try place.analysis.rename(at: place.position, to: name)
    }
    #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
  }

  @Test func `a broken file is not renamed in`() {
    let place = AnalysisText("pipeline: a\nsteps:\n  - id: ‸a\n    request: {\n")
    #expect(throws: RenameRefusal.self) { try place.analysis.rename(at: place.position, to: "b") }
  }

  @Test func `a name with two meanings through an alias is not renamed`() {
    let place = AnalysisText(
      """
      pipeline: a
      steps:
        - id: one
          request: { url: "http://a.test" }
          outputs: &all { ‸x: "1" }
        - id: two
          request: { url: "http://a.test" }
          outputs: *all
      """)
    let refusal = #expect(throws: RenameRefusal.self) {
      _ = try place.analysis.rename(at: place.position, to: "b")
    }
    #expect(refusal?.message.contains("alias") == true)
  }

  @Test(arguments: [
    ("server +", 1, "**server** · input · `url`"), ("server +", 1, "Default: `http://a.test`"),
    ("sign_in.token", 1, "Get a token."), ("token }}\n        depends_on", 1, "`dyn`"),
    ("token }}\n        depends_on", 1, "Valid for `1h`"),
    ("token }}\n        depends_on", 1, "Secret"), ("photo.name", 1, "`File`"),
    ("name }}", 1, "`photo.name` · `string`"), ("status", 1, "`response.status` · `int`"),
    ("attempts:", 1, "Default: `6`"), ("expired:", 1, "reissued"), ("string(", 1, "-> string"),
    ("map(", 1, "new value for each element"), ("join(", 1, "list(string)"),
    ("upload_id +", 1, "`string`"), ("+ steps", 1, "expression · `string`"),
    ("steps:", 1, "required"), ("request:", 1, "HTTP exchange"), ("patient", 2, "retry policy"),
  ])
  func `hover explains a word`(_ word: String, _ number: Int, _ part: String) {
    let hover = Self.marked(word, number).hover
    #expect(hover?.contains(part) == true, "\(hover ?? "nothing")")
  }

  @Test func `symbols are nested as the document is`() {
    let symbols = DocumentAnalysis(text: Self.text, file: "a.yaml").documentSymbols
    #expect(
      symbols.map(\.name) == ["server", "photos", "patient", "sign_in", "for_each photo"])
    #expect(symbols.last?.children.map(\.name) == ["allocate", "finalize"])
    #expect(symbols.last?.children.first?.children.map(\.name) == ["upload_id"])
    #expect(symbols[3].detail == "request")
  }

  @Test func `a file that is not YAML still has its names`() {
    let place = AnalysisText(
      Self.text + "      - id: last\n        if: ${{ steps.‸\n        request: {\n     foo\n")
    #expect(place.labels.contains("allocate"))
    #expect(place.analysis.documentSymbols.count >= 5)
  }

  @Test func `fixes of diagnostics are offered at their places`() throws {
    let place = AnalysisText(
      "pipeline: a\nstepz‸:\n  - id: a\n    request: { url: \"http://a\" }\n")
    let range = TextRange(file: "marked.yaml", start: place.position, end: place.position)
    let fixes = place.analysis.fixes(in: range)
    #expect(fixes.map(\.fix.replacement) == ["steps"])
  }

  @Test func `every function of expressions is described, and nothing else`() {
    let known = Set(Variables.base.functionNames)
    let described = Set(FunctionReference.summaries.keys)
    #expect(known.subtracting(described).sorted() == [])
    #expect(described.subtracting(known).sorted() == [])
  }
}
