import PipelineCore
import PipelineSimulator
import Testing

/// Items that hold files and wait for more; both cases were found by the swarm.
struct DiskDeadlockTests {
  private static func pipeline(concurrency: Int, budgets: String) -> String {
    """
    pipeline: p
    inputs: { files: { type: files } }
    budgets: { \(budgets) }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: \(concurrency)
        steps:
          - { id: digest, materialize: { file: "${{ file }}", digests: [sha256] } }
          - id: body
            materialize:
              multipart:
                - { name: sha256, text: "${{ steps.digest.file.sha256 }}" }
                - { name: file, file: "${{ file }}" }
          - id: upload
            upload: { url: "http://server/content/${{ file.name }}", file: "${{ steps.body.file }}" }
          - id: finalize
            request: { method: POST, url: "http://server/finalize/${{ file.name }}" }
            depends_on: [upload]
            effect: create
            idempotency: { header: Idempotency-Key }
          - id: receipt
            download: { url: "http://server/receipts/${{ file.name }}", max_size: 500 B }
            depends_on: [upload]
    """
  }

  private func run(
    concurrency: Int, budgets: String, sizes: [Int64],
    _ response: @escaping @Sendable (SimulatedRequest) -> SimulatedResponse
  ) throws -> SimulatedRun {
    var scene = try Scene(Self.pipeline(concurrency: concurrency, budgets: budgets))
    let files = sizes.enumerated().map { index, size in
      FileValue(path: "/p/\(index).jpg", name: "\(index).jpg", size: size, modified: 0)
    }
    scene.inputs = .init(files: ["files": files])
    for file in files { scene.disk.add(file) }
    var settings = SimulatedRun.Settings()
    settings.turnsPerInstant = 2000
    var run = scene.run(settings: settings, device: IdealDevice(bandwidth: 1000), response)
    run.simulate()
    return run
  }

  @Test(arguments: 1...8)
  func `results made from a file stay valid when the file is released`(concurrency: Int) throws {
    let run = try run(
      concurrency: concurrency, budgets: "disk: 8000 B, transfers: 1",
      sizes: [2035, 906, 628, 2823, 655]
    ) { _ in SimulatedResponse(latency: .milliseconds(50)) }
    #expect(run.outcome == .rested)
    #expect(run.count(.done) == 5)
    let finalizes = run.sent.filter { $0.hasPrefix("POST finalize/") }
    #expect(finalizes.count == 5, "\(finalizes)")
  }

  @Test func `an item that releases its files releases its place too`() throws {
    let run = try run(concurrency: 1, budgets: "disk: 8000 B", sizes: [2267, 1690]) { exchange in
      guard exchange.id.step == 2, exchange.id.item?.ordinal == 0, exchange.id.attempt == 1 else {
        return SimulatedResponse(latency: .milliseconds(50))
      }
      return SimulatedResponse(status: 429, headers: [.init(name: "Retry-After", value: "11")])
    }
    #expect(run.outcome == .rested)
    #expect(run.count(.done) == 2)
  }
}
