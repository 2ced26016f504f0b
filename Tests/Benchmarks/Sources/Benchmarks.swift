import Foundation
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineSQLite

/// Figures that need the libraries and not the whole program; `Tests/Benchmarks/run` prints the
/// others.
@main
enum Benchmarks {
  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case "store"?: try await StoreFigures.print()
    case "reopen"?: try await StoreFigures.printReopening()
    case "expressions"?: try ExpressionFigures.print()
    case "window"?:
      let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      try await WindowFigures.print(
        items: numbers.first ?? 1_000_000,
        Sample.pipeline(concurrency: numbers.dropFirst().first ?? 64))
    case "puts"?:
      let items = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10_000_000
      try await WindowFigures.print(items: items, Sample.put())
    case "typing"?:
      let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      try TypingFigures.print(
        lines: numbers.first ?? 20_000, keys: numbers.dropFirst().first ?? 1500)
    case "put"?: try await PutFigures.run(Array(CommandLine.arguments.dropFirst(2)))
    case "database"?: try await DatabaseFigures.print(Array(CommandLine.arguments.dropFirst(2)))
    case "pool"?: try await PoolFigures.print(Array(CommandLine.arguments.dropFirst(2)))
    default:
      FileHandle.standardError.write(
        Data(
          """
          usage: pipeline-benchmarks store|reopen|expressions
                 pipeline-benchmarks window [ITEMS [CONCURRENCY]]
                 pipeline-benchmarks puts [ITEMS]
                 pipeline-benchmarks typing [LINES [KEYS]]
                 pipeline-benchmarks put URL FOLDER [WIDTH]
                 pipeline-benchmarks database load ADDRESS ITEMS [SHARDS]
                 pipeline-benchmarks database work ADDRESS RUN
                 pipeline-benchmarks pool [direct|engine|shared|dispatch|nio] [WORKS [TASKS]]

          """.utf8))
      exit(64)
    }
  }
}

/// A pipeline of five steps, as most are, and everything needed to run it.
enum Sample {
  static let text = """
    pipeline: five
    inputs:
      photos: { type: files }
    steps:
      - id: sign_in
        request: { method: POST, url: "http://null/login" }
        effect: repeatable
        outputs:
          token: { value: "${{ response.json.token }}", secret: true }
      - for_each: photo
        in: ${{ inputs.photos }}
        concurrency: 64
        steps:
          - id: allocate
            request:
              { method: POST, url: "http://null/uploads", bearer: "${{ steps.sign_in.token }}", json: { name: "${{ photo.name }}" } }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              upload_id: { value: "${{ response.json.id }}" }
          - id: body
            materialize: { text: "${{ photo.name }}" }
          - id: upload
            upload:
              { url: "http://null/uploads/${{ steps.allocate.upload_id }}/content", file: "${{ steps.body.file }}" }
          - id: finalize
            request: { method: POST, url: "http://null/uploads/${{ steps.allocate.upload_id }}/finalize" }
            effect: create
            idempotency: { header: Idempotency-Key }
    """

  static func pipeline(concurrency: Int = 64) -> Pipeline {
    checked(text.replacing("concurrency: 64", with: "concurrency: \(concurrency)"))
  }

  /// One durable PUT an item.
  static func put() -> Pipeline {
    checked(
      """
      pipeline: puts
      inputs:
        photos: { type: files }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          concurrency: 64
          steps:
            - id: put
              upload: { method: PUT, url: "http://null/${{ photo.name }}", file: "${{ photo }}" }
      """)
  }

  private static func checked(_ text: String) -> Pipeline {
    let result = PipelineDocument.load(text: text, file: "sample.yaml")
    guard let pipeline = result.pipeline else { fatalError("\(result.diagnostics)") }
    return pipeline
  }

  static func state(_ pipeline: Pipeline) -> RunState {
    RunState(
      id: RunID("benchmark"), pipeline: pipeline, inputs: [:], seed: 1,
      began: Instant(milliseconds: 1_800_000_000_000))
  }

  static func files(_ count: Int) -> EnumeratedLoop {
    EnumeratedLoop(loop: 0) { yield in
      for index in 0..<count {
        let name = "IMG_\(index).jpg"
        try yield(
          .file(FileValue(path: "/photos/2026/\(name)", name: name, size: 16384, modified: 0)))
      }
    }
  }
}

/// A folder that goes away.
func withTemporaryFolder<T>(_ body: (String) async throws -> T) async throws -> T {
  let path = FileManager.default.temporaryDirectory.appending(
    path: "pipeline-benchmark-\(UUID().uuidString)"
  ).path
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}

func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 }

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}
