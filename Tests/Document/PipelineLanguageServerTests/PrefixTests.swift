import CEL
import PipelineLanguageServer
import TestSupport
import Testing

/// A document that is half typed: every prefix of pipelines and tests, and every request at its end.
struct PrefixTests {
  private static let text = """
    # yaml-language-server: $schema=a.json
    pipeline: a
    use: [b.yaml]
    inputs: { server: { type: url }, photos: { type: files } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          # pipeline: ignore[insecure-url] 🙂
          - id: ask
            let: { 漢: "🙂${{ resolve(\\"é\\", [1].map(x, x + 1)) }}" }
            request:
              headers: { Content-Type: 'a''b', If-Match: "*" }
              text: |
                🙂 ${{ cel.bind(a, hmac_sha256('k', "m"),
                  a) }}
          - use: shared/x.yaml
            with: { a: >-
              b }

    """

  private static let methods = [
    "signatureHelp", "documentHighlight", "foldingRange", "documentLink", "completion", "hover",
    "documentSymbol", "codeAction",
  ]

  /// `make test` asks after each prefix with one of the line ends, and `make explore` with all.
  @Test(arguments: ["\n", "\r\n", "\r"].enumerated().map { ($0.offset, $0.element) })
  func `every request is answered at the end of every prefix`(_ number: Int, _ end: String) {
    let text = Self.text.replacing("\n", with: end)
    var server = LanguageServer(version: "test")
    _ = server.receive([
      .success(
        .request(.number(0), method: "initialize", params: ["capabilities": .visualStudioCode])),
      .success(
        .notification(
          method: "textDocument/didOpen",
          params: ["textDocument": ["uri": .string(Editor.uri), "text": ""]])),
    ])
    let document: Value = ["uri": .string(Editor.uri), "version": 1]
    var (line, character) = (0, 0)
    var (answers, asked) = (0, 0)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let place: Value = ["line": Value(line), "character": Value(character)]
      let change: Value = [
        "range": ["start": place, "end": place], "text": .string(String(scalar)),
      ]
      _ = server.answers(to: [
        .success(
          .notification(
            method: "textDocument/didChange",
            params: ["textDocument": document, "contentChanges": [change]]))
      ])
      if scalar == "\n" || scalar == "\r" {
        (line, character) = (line + 1, 0)
      } else {
        character += UTF16.width(scalar)
      }
      // Behind CR LF there is one line more, not two.
      if scalar == "\n", end == "\r\n" { line -= 1 }
      let cursor: Value = ["line": Value(line), "character": Value(character)]
      guard TestFiles.isThorough || index % 3 == number else { continue }
      asked += Self.methods.count
      let requests = Self.methods.enumerated().map { id, method in
        Result<Message, ResponseFailure>.success(
          .request(
            .number(id), method: "textDocument/" + method,
            params: [
              "textDocument": document, "position": cursor,
              "range": ["start": ["line": 0, "character": 0], "end": cursor],
              "context": ["triggerKind": 1],
            ]))
      }
      for case .response(_, .success) in server.answers(to: requests) { answers += 1 }
    }
    #expect(asked > 0 && answers == asked)
  }
}
