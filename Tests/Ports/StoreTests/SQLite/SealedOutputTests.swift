import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineFiles
import PipelineSQLite
import Testing

/// Sealed outputs outlive their process, and no one who has the file but not the key can read them.
struct SealedOutputTests {
  private static let secret = "1//0g-refresh-token-4711"
  private static let key = Array("correct horse battery staple".utf8)

  /// A run whose first step left a sealed value and one that is only secret.
  private static func state() -> RunState {
    var state = Sample.state()
    state.frame[0] = StepState()
    state.frame[0].status = .succeeded
    state.frame[0].generation = 1
    state.frame[0].outputs = [
      OutputValue(value: .string(secret), isSealed: true, expires: Instant(milliseconds: 77)),
      OutputValue(value: .string("only-secret"), isSecret: true),
    ]
    state.frame[0].previous = [OutputValue(value: .string(secret + "-before"), isSealed: true)]
    return state
  }

  private static func bytes(_ folder: TemporaryFolder) -> Data {
    ["", "-wal"].reduce(into: Data()) { all, suffix in
      all += (try? Data(contentsOf: URL(filePath: folder("run.sqlite\(suffix)")))) ?? Data()
    }
  }

  private static func open(
    _ folder: TemporaryFolder, _ key: [UInt8]?
  ) async throws -> SQLiteCheckpointStore {
    try await SQLiteCheckpointStore(
      path: folder("run.sqlite"), pipeline: Sample.pipeline,
      sealer: key.flatMap { AESGCMSealer(key: $0) })
  }

  /// Creates the run, stores its state, and closes the store.
  private static func stored(in folder: TemporaryFolder, key: [UInt8]? = key) async throws {
    let store = try await open(folder, key)
    let epoch = try await store.claim()
    _ = try await store.create(state(), items: [])
    try await store.commit(
      CheckpointBatch(
        epoch: epoch, at: Instant(milliseconds: 1), events: [],
        checkpoint: Checkpoint(state: state(), isDurable: true)))
    await store.close()
  }

  private static func outputs(
    in folder: TemporaryFolder, key: [UInt8]?
  ) async throws -> (outputs: [OutputValue], previous: [OutputValue]) {
    let store = try await open(folder, key)
    let state = try await store.load()
    await store.close()
    return (state.frame[0].outputs, state.frame[0].previous)
  }

  @Test func `a sealed value is nowhere in the file, and the next process with the key has it`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await Self.stored(in: folder)
    let bytes = Self.bytes(folder)
    #expect(bytes.range(of: Data(Self.secret.utf8)) == nil)
    #expect(bytes.range(of: Data("only-secret".utf8)) == nil)
    #expect(bytes.range(of: Data("\"sealed\":\"1.".utf8)) != nil)
    let (outputs, previous) = try await Self.outputs(in: folder, key: Self.key)
    #expect(outputs[0].value == .string(Self.secret))
    #expect(outputs[0].expires == Instant(milliseconds: 77))
    #expect(outputs[0].isSecret && outputs[0].isSealed)
    #expect(outputs[1].value == nil)
    #expect(previous[0].value == .string(Self.secret + "-before"))
  }

  @Test(arguments: [nil, Array("another key, as long".utf8)])
  func `without its key a sealed value counts as expired, and is not lost for the key's owner`(
    _ other: [UInt8]?
  ) async throws {
    let folder = try TemporaryFolder()
    try await Self.stored(in: folder)
    let store = try await Self.open(folder, other)
    let epoch = try await store.claim()
    let state = try await store.load()
    #expect(state.frame[0].outputs[0].value == nil)
    #expect(!state.frame[0].outputs[0].isValid(at: Instant(milliseconds: 0)))
    // The process continues, and stores its values.
    try await store.commit(
      CheckpointBatch(
        epoch: epoch, at: Instant(milliseconds: 2), events: [],
        checkpoint: Checkpoint(state: state, isDurable: true)))
    await store.close()
    let outputs = try await Self.outputs(in: folder, key: Self.key).outputs
    #expect(outputs[0].value == .string(Self.secret))
  }

  @Test func `without any key nothing is sealed, and nothing is stored`() async throws {
    let folder = try TemporaryFolder()
    try await Self.stored(in: folder, key: nil)
    #expect(Self.bytes(folder).range(of: Data(Self.secret.utf8)) == nil)
    let outputs = try await Self.outputs(in: folder, key: Self.key).outputs
    #expect(outputs[0].value == nil && outputs[0].isSealed)
  }

  @Test(arguments: [
    (#""id":"[^"]+""#, #""id":"another-run""#), (#""generation":1"#, #""generation":2"#),
  ])
  func `a value is opened only in its run and its generation`(
    _ pattern: String, _ replacement: String
  ) throws {
    let coding = CheckpointCoding(Sample.pipeline, sealer: AESGCMSealer(key: Self.key))
    var state = Self.state()
    state.frame[0].previous = []
    let stored = String(decoding: coding.encode(state), as: UTF8.self)
    #expect(
      try coding.state(Array(stored.utf8)).frame[0].outputs[0].value == .string(Self.secret))
    let changed = stored.replacing(try Regex(pattern), maxReplacements: 1) { _ in replacement }
    #expect(changed != stored)
    let step = try coding.state(Array(changed.utf8)).frame[0]
    #expect((step.outputs + step.previous).allSatisfy { $0.value == nil })
  }

  @Test func `a value is opened only in its item, even as an earlier result`() throws {
    let coding = CheckpointCoding(Sample.pipeline, sealer: AESGCMSealer(key: Self.key))
    _ = coding.encode(Self.state())
    var item = Item(key: ItemKey(loop: 0, ordinal: 3), subject: Sample.subject(3), status: .paused)
    item.frame = [StepState](repeating: StepState(), count: Sample.pipeline.loops[0].steps.count)
    item.frame[0] = Self.state().frame[0]
    let subject = coding.encode(subject: item.subject)
    let progress = coding.encode(progress: item)
    let read = try coding.item(item.key, subject: subject, status: .paused, progress: progress)
    #expect(read.frame[0].outputs[0].value == .string(Self.secret))
    #expect(read.frame[0].previous[0].value == .string(Self.secret + "-before"))
    let other = try coding.item(
      ItemKey(loop: 0, ordinal: 4), subject: subject, status: .paused, progress: progress)
    #expect(other.frame[0].outputs[0].value == nil && other.frame[0].previous[0].value == nil)
  }

  @Test func `a value cannot be moved to another output`() async throws {
    let coding = CheckpointCoding(Sample.pipeline, sealer: AESGCMSealer(key: Self.key))
    var state = Self.state()
    let stored = String(decoding: coding.encode(state), as: UTF8.self)
    let text = try #require(stored.firstMatch(of: #/"sealed":"(1\.[^"]+)"/#)?.output.1)
    state.frame[0].outputs = [
      OutputValue(value: .int(1)),
      OutputValue(value: nil, isSealed: true, sealedText: String(text)),
    ]
    let read = try coding.state(coding.encode(state))
    #expect(read.frame[0].outputs[1].value == nil)
  }
}
