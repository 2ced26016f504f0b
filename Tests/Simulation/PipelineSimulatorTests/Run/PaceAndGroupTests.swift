import CEL
import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

/// Rates, bytes per second, groups, trailers and batches in virtual time.
struct PaceAndGroupTests {
  private static let puts = """
    pipeline: puts
    inputs: { photos: { type: files } }
    budgets: { requests_per_second: 2, bytes_per_second: 1000 B }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: put
            upload:
              url: "http://server/${{ photo.name }}"
              file: ${{ photo }}
              trailers: { x-sum: "${{ body.sha256.hex }}", x-name: "${{ photo.name }}" }
    """

  @Test func `requests are spaced and bytes are shared in a simulation too`() throws {
    var run = try Scene(Self.puts, files: ["a": 0, "b": 0, "c": 0, "d": 0]).run()
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 4)
    // Three pauses of half a second, and the last response.
    #expect(run.now - run.start == .milliseconds(1600))
    var large = try Scene(Self.puts, files: ["a": 3000, "b": 3000]).run()
    #expect(large.simulate() == .rested)
    #expect(large.now - large.start >= .seconds(6))
  }

  @Test func `a server sees the trailers of an upload`() throws {
    var run = try Scene(Self.puts, files: ["a": 0]).run()
    run.simulate()
    let headers = try #require(run.trace.exchanges.first).request.headers
    #expect(headers.first { $0.name == "x-name" }?.value == "a")
    // A file of a simulation has bytes of its own.
    #expect(headers.first { $0.name == "x-sum" }?.value.count == 64)
  }

  @Test func `an album is created once for its photos`() throws {
    let text = """
      pipeline: albums
      inputs: { photos: { type: files } }
      steps:
        - for_each: album
          in: ${{ groups(inputs.photos.map(photo, photo.name.substring(0, 1)), inputs.photos) }}
          steps:
            - id: allocate
              request: { method: POST, url: "http://server/allocate/${{ album.key }}" }
              effect: create
              idempotency: { header: Idempotency-Key }
              outputs: { id: "${{ response.json.id }}" }
            - id: photos
              for_each: photo
              in: ${{ album.items }}
              steps:
                - id: put
                  upload: { url: "http://server/${{ steps.allocate.id }}/${{ photo.name }}", file: "${{ photo }}" }
      """
    var run = try Scene(text, files: ["a1": 1, "b1": 1, "a2": 1, "b2": 1, "a3": 1]).run()
    #expect(run.simulate() == .rested)
    #expect(run.count(.done) == 2)
    #expect(
      run.sent.sorted() == [
        "POST allocate/a", "POST allocate/b", "PUT id-a-1/a1", "PUT id-a-1/a2", "PUT id-a-1/a3",
        "PUT id-b-1/b1", "PUT id-b-1/b2",
      ])
  }
}
