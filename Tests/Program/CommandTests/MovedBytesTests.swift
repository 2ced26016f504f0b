import Foundation
import TestSupport
import Testing

/// Bytes that were moved are counted once, and everything that shows them shows the same number.
struct MovedBytesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: String
    var exit: Int32 = 0
  }

  private static let cases = [
    Case(
      testDescription: "an upload of each file",
      steps: loop("- { id: put, upload: { url: '$S/${{ file.name }}', file: '${{ file }}' } }")),
    Case(
      testDescription: "two loops over the same files, of which one sends them",
      steps: loop("- { id: put, upload: { url: '$S/${{ file.name }}', file: '${{ file }}' } }")
        + loop("- { id: tell, request: { method: PUT, url: '$S/told/${{ file.name }}' } }")),
    Case(
      testDescription: "a file that is made and digested before it is sent",
      steps: loop(
        "- { id: sum, digest: { file: '${{ file }}', take: [sha256] } }\n"
          + "      - { id: made, materialize: { file: '${{ file }}' } }\n"
          + "      - { id: put, upload: { url: '$S/${{ file.name }}', file: '${{ steps.made.file }}' } }"
      )),
    Case(
      testDescription: "parts",
      steps: loop(
        "- id: all\n        for_each: part\n        in: '${{ parts(file.size, {\"size\": 500, \"max_count\": 9}) }}'\n"
          + "        steps:\n          - id: put\n            upload:\n              url: $S/${{ file.name }}\n"
          + "              file: ${{ file }}\n              range: { offset: '${{ part.offset }}', length: '${{ part.length }}' }"
      )),
    Case(testDescription: "a resync that finds a piece delivered", steps: pieces(of: 600)),
    Case(testDescription: "a resync that finds everything delivered", steps: pieces(of: 6000)),
    Case(
      testDescription: "uploads that are refused",
      steps: loop(
        "- { id: put, upload: { url: '$S/${{ file.name }}', file: '${{ file }}' }, on: [{ if: '${{ true }}', then: fail }] }"
      ), exit: 1),
  ]

  @Test(arguments: cases)
  func `progress, status, items and reports have the same bytes`(one: Case) async throws {
    let scene = try Scene()
    for size in [1000, 1400] {
      try scene.directory.write(String(repeating: "x", count: size), to: "files/\(size).txt")
    }
    let document = """
      pipeline: moved
      inputs: { server: { type: url }, files: { type: files, default: "files/*.txt" } }
      retry: { standard: { attempts: 3, backoff: { initial: 20ms } } }
      steps:
      \(one.steps.replacing("$S", with: "${{ inputs.server }}"))
      """
    try scene.directory.write(document, to: "moved.yaml")
    let script = CommandRunner.packageRoot.appending(
      path: "Tests/Program/CommandTests/Scripts/lost_patches.py")
    let server = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", script.path])
    scene.keep(server)
    try await server.wait(for: "listening on port")
    let port = server.output.split(separator: " ").last?.dropLast() ?? ""
    let outcome = try await scene.pipeline.run(
      "run", "moved.yaml", "--input", "server=http://127.0.0.1:\(port)", "--progress", "json",
      "--report", "report.json")
    #expect(outcome.status == one.exit, "\(outcome)")
    let lines = try outcome.output.split(separator: "\n").map { try JSON.object($0) }
    let progress = lines.filter { $0["event"] as? String == "progress" }
    let counted = progress.compactMap { $0["bytes_moved"] as? Int }
    #expect(counted == counted.sorted(), "it never becomes less")
    #expect(counted.last == 2400, "\(outcome)")
    #expect(lines.last?["bytes_moved"] as? Int == 2400, "\(outcome)")
    let status = try JSON.object(try await scene.pipeline.run("status", "--format", "json").output)
    #expect(status["bytes_moved"] as? Int == 2400, "\(status)")
    let items = try JSON.array(try await scene.pipeline.run("items", "--format", "json").output)
    #expect(items.reduce(0) { $0 + ($1["bytes_moved"] as? Int ?? 0) } == 2400, "\(items)")
    let offsets = items.compactMap { ($0["outputs"] as? [String: [String: Int]])?["sent"] }
    #expect(offsets.isEmpty, "a value that a resync reported earlier is not the last one")
    let report = try JSON.object(
      try String(contentsOfFile: scene.directory.path("report.json"), encoding: .utf8))
    #expect(report["bytes_moved"] as? Int == 2400, "\(report)")
    let text = try await scene.pipeline.run("status").output
    #expect(text.contains(", 2.34 KiB\n"), "\(text)")
  }

  private static func loop(_ steps: String) -> String {
    "  - for_each: file\n    in: ${{ inputs.files }}\n    concurrency: 2\n    steps:\n      \(steps)\n"
  }

  private static func pieces(of size: Int) -> String {
    loop(
      """
      - id: sent
              repeat:
                from: { offset: 0 }
                until: ${{ steps.sent.offset == file.size }}
                resync:
                  request: { method: HEAD, url: "$S/${{ file.name }}" }
                  next: { offset: "${{ int(response.headers['upload-offset']) }}" }
                steps:
                  - id: send
                    upload: { method: PATCH, url: "$S/${{ file.name }}", file: "${{ file }}", range: { offset: "${{ steps.sent.offset }}", length: "${{ math.least(\(size), file.size - steps.sent.offset) }}" } }
                    effect: repeatable
                    outputs: { offset: "${{ int(response.headers['upload-offset']) }}" }
                next: { offset: "${{ steps.send.offset }}" }
      """)
  }
}
