// Embeds the engine: reads a pipeline, and carries out a run with a transport of its own. An app would send with URLSession, and
// keep the run in `SQLiteCheckpointStore`, so that it goes on after a crash.
import Foundation
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineFiles

let yaml = """
  pipeline: notes
  inputs: { notes: { type: files } }
  steps:
    - for_each: note
      in: ${{ inputs.notes }}
      steps:
        - id: send
          upload: { url: "https://notes.example/${{ urlEscape(note.name) }}", file: "${{ note }}" }
  """

/// A transport that says what it would send, and answers as the server would.
struct Transport: RequestTransport, TransferService {
  let clock = SteadyClock()

  func send(_ request: RenderedRequest) async -> Response {
    print(request.method, request.url)
    return Response(status: 200, url: request.url, sent: clock.now(), received: clock.now())
  }

  func upload(
    _ request: RenderedRequest, body: Body, paths: @escaping @Sendable (FileValue) -> String,
    renew: @escaping Renew, progress: @escaping @Sendable (Int64) -> Void
  ) async -> Response { await send(request) }

  func download(
    _ request: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response { await send(request) }
}

let loaded = PipelineDocument.load(text: yaml, file: "notes.yaml")
guard let pipeline = loaded.pipeline else { fatalError("\(loaded.diagnostics)") }
let folder = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")
let workspace = try POSIXWorkspace(root: folder.path())
try Data("Remember the milk.".utf8).write(to: folder.appending(path: "to do.txt"))
let note = try SourceFile.describe("to do.txt", in: folder.path())

let transport = Transport()
let store = InMemoryCheckpointStore(pipeline)
let run = RunState(
  id: RunID("notes-1"), pipeline: pipeline, inputs: [:], seed: .random(in: .min ... .max),
  began: transport.clock.now(), keySeed: RunState.randomKeySeed())
let items = [EnumeratedLoop(loop: 0) { yield in try yield(.file(note)) }]
let executor = Executor(
  evaluator: Evaluator(pipeline),
  ports: Executor.Ports(
    store: store, requests: transport, transfers: transport, files: workspace,
    clock: transport.clock))
let end = try await executor.run(
  try await store.create(run, items: items), epoch: try await store.claim(), events: [.runBegan])
print("the run is \(end.status): \(end.loops[0].counts[.done]) of 1 notes sent")
