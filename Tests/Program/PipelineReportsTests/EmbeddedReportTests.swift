import Foundation
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineReports
import Testing

/// An app that embeds the engine describes its runs without the program.
struct EmbeddedReportTests {
  private struct App: RunPlace {
    let label: (name: String?, hidden: Int?) = ("holidays", nil)
    let shardPlace: (any ShardPlace)? = nil
    func command(_ verb: String, more: [String]) -> String {
      ([verb, "holidays"] + more).joined(separator: " ")
    }
  }

  private static let text = """
    pipeline: photos
    inputs: { photos: { type: files } }
    steps:
      - for_each: photo
        in: ${{ inputs.photos }}
        steps:
          - id: put
            upload: { url: "https://example.com/${{ photo.name }}", file: "${{ photo }}" }
    """

  private let pipeline: Pipeline
  private let store: InMemoryCheckpointStore
  private let state: RunState

  /// A run of two files that has started, and on which no process works.
  init() async throws {
    let result = PipelineDocument.load(text: Self.text, file: "photos.yaml")
    pipeline = try #require(result.pipeline, "\(result.diagnostics)")
    store = InMemoryCheckpointStore(pipeline)
    let began = Instant(milliseconds: 1000)
    let first = RunState(id: RunID("r1"), pipeline: pipeline, inputs: [:], seed: 1, began: began)
    let loop = EnumeratedLoop(loop: 0) { yield in
      for name in ["a", "b"] {
        try yield(.file(FileValue(path: "/p/\(name)", name: name, size: 10, modified: 0)))
      }
    }
    var machine = Machine(
      try await store.create(first, items: [loop]), evaluator: Evaluator(pipeline))
    _ = machine.apply(.runBegan, at: began)
    let epoch = try await store.claim()
    try await store.commit(
      CheckpointBatch(
        epoch: epoch, at: began, events: [.runBegan], checkpoint: machine.takeCheckpoint()))
    state = try await store.load()
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private var run: ReportedRun {
    ReportedRun(state, of: pipeline, in: store, at: App(), isWorkedOn: false)
  }

  @Test func `the status is that of the state, under the name of the place`() throws {
    let report = run.report
    let json = try object(report.json())
    #expect(json["status"] as? String == "interrupted" && report.statusWord == "interrupted")
    #expect(json["name"] as? String == "holidays")
    #expect((json["items"] as? [String: Int])?["pending"] == 2)
    #expect(json["worked_on"] as? Bool == false && !report.isComplete)
  }

  @Test func `blockers are those of the core, with commands of the place`() async throws {
    let explanation = Explanation(run, at: Instant(milliseconds: 2000), limit: 10)
    let json = try object(try await explanation.json())
    let entries = try #require(json["entries"] as? [[String: Any]])
    #expect(!entries.isEmpty)
    for entry in entries {
      #expect(entry["unblocked_by"] as? String == "`resume holidays`")
      #expect((entry["waits_for"] as? String)?.hasPrefix("no process is working on it") == true)
    }
    let item = try #require(try await explanation.json(of: ItemKey(loop: 0, ordinal: 1)))
    #expect(try object(item)["name"] as? String == "/p/b")
    #expect(try await explanation.json(of: ItemKey(loop: 0, ordinal: 2)) == nil)
  }

  @Test func `the remedy of a failed item depends on its file`() async throws {
    let item = try #require(try await store.item(ItemKey(loop: 0, ordinal: 0)))
    let changes: [(Explanation.FileChange?, String)] = [
      (nil, "`retry holidays 0/0`"), (.gone, "restoring the original file"),
      (.changed, "--accept-changed-files"), (.passed(toRun: "r2"), "run 'r2'"),
    ]
    for (change, words) in changes {
      let explanation = Explanation(run, at: Instant(milliseconds: 2000), limit: 10) { _ in change }
      #expect(explanation.remedy(for: item).contains(words))
    }
  }

  @Test func `items and events are objects by the forms of the commands`() async throws {
    let records = try await ItemRecords(store, pipeline)
    let item = try #require(try await store.item(ItemKey(loop: 0, ordinal: 0)))
    let json = try object(records.json(of: item))
    #expect(json["item"] as? String == "0/0" && json["attempts"] as? Int == 0)
    let batches = try await store.history(after: 0, limit: 10)
    let lines = batches.flatMap { HistoryRecord(pipeline).lines($0) }
    #expect(try lines.map { try object($0)["event"] as? String } == ["run_began"])
  }
}
