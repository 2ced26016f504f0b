import TestSupport
import Testing

/// What `run --dry-run` shows of the steps of parts.
struct PlanTests {
  /// The inner loop is the only step of its item, so that a step of a part has a place that no step of the item has.
  @Test func `the requests of the first part are shown, with its range`() async throws {
    let scene = try Scene()
    try scene.directory.write("0123456789", to: "film.mov")
    try scene.directory.write(
      """
      pipeline: p
      inputs: { files: { type: files } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: sent
              for_each: part
              in: ${{ ranges(file.size, 4) }}
              steps:
                - { id: ask, request: { url: "https://example.com/${{ part.number }}" }, outputs: { url: "${{ response.json.url }}" } }
                - id: put
                  upload: { url: "https://example.com/put?u=${{ steps.ask.url }}&n=${{ part.length }}", file: "${{ file }}", range: { offset: "${{ part.offset }}", length: "${{ part.length }}" } }
              collect: { numbers: "${{ part.number }}" }

      """, to: "p.yaml")
    let plan = try await scene.pipeline.run(
      "run", "p.yaml", "--dry-run", "--input", "files=film.mov")
    #expect(plan.status == 0, "\(plan)")
    #expect(plan.output.contains("ask (request, for each part of each file"))
    #expect(plan.output.contains("GET https://example.com/1\n"))
    #expect(plan.output.contains("PUT https://example.com/put?u=<ask.url>&n=4\n"))
  }

  @Test func `the items that would be sent are listed, and JSON has all of them`() async throws {
    let scene = try Scene()
    for number in 10..<40 { try scene.directory.write("abc", to: "in/\(number).txt") }
    try scene.directory.write(
      """
      pipeline: p
      inputs: { files: { type: files } }
      steps:
        - for_each: file
          in: ${{ inputs.files }}
          steps: [{ id: put, upload: { url: "https://example.com/${{ file.relative }}", file: "${{ file }}" } }]
      """, to: "p.yaml")
    let words = ["run", "p.yaml", "--dry-run", "--input", "files=in"]
    let plan = try await scene.pipeline.run(words)
    #expect(plan.output.contains("would send 30 items\n    10.txt, 3 B\n"), "\(plan)")
    #expect(plan.output.contains("29.txt, 3 B\n    and 10 more; --limit 30 lists all\n"), "\(plan)")
    let none = try await scene.pipeline.run(words + ["--limit", "0"])
    #expect(!none.output.contains("would send"), "\(none)")
    let json = try JSON.object(try await scene.pipeline.run(words + ["--format", "json"]).output)
    let items = try #require(json["items"] as? [[String: Any]])
    #expect(items.count == 30)
    #expect(items.last?["path"] as? String == "39.txt")
    #expect(items.last?["bytes"] as? Int == 3)
    let other = try await scene.pipeline.run("run", "p.yaml", "--limit", "3", "--input", "files=in")
    #expect(other.status == 64, "\(other)")
  }
}
