import Foundation
import TestSupport
import Testing

/// Small files that ask for much work: every command counts it in the same way, and ends.
struct CostTests {
  /// A text with many expressions that aliases repeat.
  private static let costly = """
    pipeline: costly
    steps:
      - id: a
        request: { method: POST, url: "https://example.com/", json: [&a "\(
          String(repeating: "${{ run.id }}", count: 900))"\(String(repeating: ", *a", count: 250))] }

    """

  private static let finding = "checking the file would take more than 10,000,000 units of work"

  @Test(arguments: [
    ["validate", "costly.yaml"], ["graph", "costly.yaml"], ["run", "--dry-run", "costly.yaml"],
    ["simulate", "costly.yaml"], ["verify", "costly.yaml"], ["test", "costly.test.yaml"],
  ])
  func `every command has the same budget, and stops at the same place`(
    _ command: [String]
  ) async throws {
    let scene = try Scene()
    try scene.directory.write(Self.costly, to: "costly.yaml")
    try scene.directory.write(
      "test: costly\npipeline: costly.yaml\ncases: [{ name: sent, expect: { status: done } }]\n",
      to: "costly.test.yaml")
    let outcome = try await scene.pipeline.run(command)
    #expect(outcome.status == (command[0] == "validate" ? 1 : 2), "\(command)")
    let all = outcome.output + outcome.error
    #expect(
      all.contains("costly.yaml:4:12257: error[too-costly]: \(Self.finding)\n"),
      "\(command): \(all.prefix(300))")
  }

  /// Passes its input to a program, and prints what that prints until there are diagnostics.
  private static let driver = """
    import os, subprocess, sys
    server = subprocess.Popen([sys.argv[1], 'lsp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdin.write(sys.stdin.buffer.read())
    server.stdin.flush()
    seen = b''
    while b'publishDiagnostics' not in seen or not seen.endswith(b'}'):
      part = os.read(server.stdout.fileno(), 65536)
      if not part: break
      seen += part
    print(seen.decode())

    """

  @Test func `the language server has the same budget`() async throws {
    let scene = try Scene()
    try scene.directory.write(Self.driver, to: "driver.py")
    let text = try String(decoding: JSONEncoder().encode(Self.costly), as: UTF8.self)
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.yaml","languageId":"yaml","version":1,"text":\#(text)}}}"#,
    ]
    let process = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["python3", "driver.py", CommandRunner.binary.path(percentEncoded: false)],
      input: messages.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined())
    let outcome = try await process.outcome()
    #expect(outcome.output.contains(#""code":"too-costly","message":"\#(Self.finding)""#))
    #expect(outcome.output.contains(#""start":{"line":3,"character":12256}"#))
  }

  @Test func `a plan in which each name contains another twice ends with a finding`() async throws {
    let scene = try Scene()
    let names = (1...26).map { "      a\($0): \"${{ a\($0 - 1) + a\($0 - 1) }}\"\n" }.joined()
    try scene.directory.write(
      """
      pipeline: doubled
      steps:
        - id: ask
          let:
            a0: xxxxxxxxxxxxxxxx
      \(names)    request: { url: "https://example.com/${{ a26 }}" }

      """, to: "doubled.yaml")
    // What a name contains is known once, so that nothing is too costly before it is evaluated.
    let validated = try await scene.pipeline.run("validate", "doubled.yaml")
    #expect(validated.status == 0, "\(validated)")
    let plan = try await scene.pipeline.run("run", "--dry-run", "doubled.yaml")
    #expect(plan.status == 2, "\(plan.output.prefix(500))")
    #expect(
      plan.error.contains("step 'ask': evaluation costs more than its limit (too-costly)"),
      "\(plan.error.prefix(500))")
  }
}
