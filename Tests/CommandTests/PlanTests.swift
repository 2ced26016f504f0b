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
}
