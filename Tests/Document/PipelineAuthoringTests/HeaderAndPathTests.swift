@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// Completion of headers, and of the names of files.
struct HeaderAndPathTests {
  private static func text(_ rest: String) -> AnalysisText {
    AnalysisText(
      """
      pipeline: a
      steps:
        - id: ask
          request:
            method: POST
            url: https://a.test
            \(rest)
      """)
  }

  @Test(arguments: [
    "headers: ‸", "headers: { \"‸", "json: { ‸ }", "query: { ‸ }", "headers: { X-Unknown: ‸ }",
    "headers: { Content-Type: \"${{ ‸ }}\" }", "url: ‸",
  ])
  func `where no header is written none is offered`(rest: String) {
    let text = Self.text(rest)
    #expect(!text.labels.contains("Content-Type"), "\(text.labels)")
    #expect(!text.labels.contains("application/json"), "\(text.labels)")
  }

  @Test(arguments: [
    "headers:\n        ‸", "headers:\n        Con‸", "headers: { ‸ }",
    "headers: { Accept: 🙂, Cont‸",
    "headers:\n        - { ‸ }", "headers:\n        - Accept: a\n          ‸",
  ])
  func `names of headers are offered, without existing ones`(rest: String) {
    let labels = Self.text(rest).labels
    #expect(labels.contains("Content-Type"), "\(rest)")
    #expect(labels.contains("Accept") == !rest.contains("Accept"), "\(rest)")
  }

  @Test func `an accepted header has its colon once`() {
    let head =
      "pipeline: a\nsteps:\n  - id: a\n    request:\n      url: https://a.test\n      headers:\n"
    #expect(
      AnalysisText.accept("Content-Type", in: head + "        Cont‸\n")
        == head + "        Content-Type: \n")
    #expect(
      AnalysisText.accept("Content-Type", in: head + "        Cont‸: a\n")
        == head + "        Content-Type: a\n")
  }

  @Test(arguments: [
    ("headers: { Content-Type: ‸ }", "application/json"),
    ("headers:\n        content-type: application/o‸", "application/octet-stream"),
    ("headers:\n        - Prefer: ‸", "return=minimal"),
    ("headers: { If-None-Match: \"‸\" }", "*"),
    (
      "headers: {}\n  - id: b\n    materialize:\n      multipart:\n        - name: a\n"
        + "          content_type: ima‸", "image/jpeg"
    ),
  ])
  func `usual values of a header are offered`(rest: String, label: String) {
    #expect(Self.text(rest).labels.contains(label), "\(Self.text(rest).labels)")
  }

  @Test func `an accepted value replaces all that was typed, in quotes if it needs them`() {
    let head =
      "pipeline: a\nsteps:\n  - id: a\n    request:\n      url: https://a.test\n      headers: "
    #expect(
      AnalysisText.accept("application/json", in: head + "{ Content-Type: application/j‸ }")
        == head + "{ Content-Type: application/json }")
    #expect(
      AnalysisText.accept("*", in: head + "{ If-None-Match: ‸ }")
        == head + "{ If-None-Match: \"*\" }")
    #expect(
      AnalysisText.accept("*", in: head + "{ If-None-Match: '‸' }")
        == head + "{ If-None-Match: '*' }")
  }

  /// They are in flow and block mappings, in lists, in defaults, in `probe` and `resync`, and behind anchors.
  @Test(arguments: [
    "Tus-Resumable", "X-Bz-Content-Sha1", "X-Goog-Upload-Command", "x-ms-version",
    "Upload-Draft-Interop-Version", "OC-Total-Length", "x-immich-checksum", "Dropbox-API-Arg",
  ])
  func `headers of requests in the catalogue are known`(name: String) {
    #expect(HeaderReference.header(name)?.name == name)
  }

  @Test func `headers of responses, outputs and bodies in the catalogue are left out`() {
    let names = Set(HeaderReference.headers.map { $0.name.lowercased() })
    #expect(names.count == HeaderReference.headers.count)
    #expect(
      names.isDisjoint(with: ["location", "upload-limit", "stream-media-id", "value", "secret"]))
  }

  @Test func `a header of the catalogue has the values and the template that it is in`() {
    let header = HeaderReference.header("x-goog-upload-command")
    #expect(header?.values.contains("upload, finalize") == true)
    #expect(header?.summary.contains("pipeline new google-photos") == true)
    #expect(HeaderReference.header("x-immich-checksum")?.values == [])
  }

  private static let files = DocumentFiles(
    { _ in nil },
    list: { folder in
      switch folder {
      case "": ["b.yaml", "a.yaml", "a.test.yaml", "c.txt", ".hidden.yaml", "shared/", "é 🙂.yml"]
      case "shared": ["login.yaml", "deep/"]
      case "..": ["up.yaml"]
      default: []
      }
    })

  private static func paths(_ marked: String, file: String = "a.yaml") -> [String] {
    let place = AnalysisText(marked)
    let text = marked.split(separator: "‸", omittingEmptySubsequences: false).joined()
    return DocumentAnalysis(text: text, file: file, files: files)
      .completions(at: place.position).filter { $0.kind == .file || $0.kind == .folder }
      .map(\.label)
  }

  @Test(arguments: [
    "pipeline: ‸", "pipeline: a\nuse: ‸", "pipeline: a\ndescription: ‸",
    "steps:\n  - id: a\n    use: nowhere/‸", "steps:\n  - id: a\n    request: { url: ‸ }",
  ])
  func `where no file is named none is offered`(marked: String) {
    #expect(Self.paths(marked) == [])
  }

  @Test(arguments: [
    ("steps:\n  - id: a\n    use: ‸", ["b.yaml", "shared/", "é 🙂.yml"]),
    ("steps:\n  - { id: a, use: \"‸", ["b.yaml", "shared/", "é 🙂.yml"]),
    ("steps:\n  - id: a\n    use: .‸", [".hidden.yaml", "b.yaml", "shared/", "é 🙂.yml"]),
    ("steps:\n  - id: a\n    use: shared/l‸", ["deep/", "login.yaml"]),
    ("steps:\n  - id: a\n    use: ./shared/‸", ["deep/", "login.yaml"]),
    ("steps:\n  - id: a\n    use: ../‸", ["up.yaml"]),
    ("pipeline: a\nuse: [b.yaml, ‸]\n", ["b.yaml", "shared/", "é 🙂.yml"]),
    ("pipeline: a\nuse:\n  - shared/‸\n", ["deep/", "login.yaml"]),
  ])
  func `pipelines and folders are offered, one folder at a time`(marked: String, labels: [String]) {
    #expect(Self.paths(marked).sorted() == labels.sorted())
  }

  @Test func `a test names the pipeline next to it`() {
    #expect(
      Self.paths("test: a\npipeline: ‸\ncases: []\n", file: "x.test.yaml").contains("a.yaml"))
  }
}
