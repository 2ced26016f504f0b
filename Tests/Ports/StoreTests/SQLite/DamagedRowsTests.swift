import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import PipelineSQLite
import StoreSupport
import TestSupport
import Testing

/// Stores in which something changed bytes: a failure that reports it,
/// or a run that continues or halts, and nothing else.
struct DamagedRowsTests {
  private static let pieces = [
    "\"", "{", "}", "[", "]", ",", ":", "null", "true", "-1", "0", "9223372036854775807", "1e308",
    "18446744073709551616", "\\u0000", "\\ud800", "[]", "{}", "\"\"", "[0]", "-", ".5", "\u{0}",
  ]
  private static let columns = [
    ("run", "state"), ("run", "state"), ("run", "status"), ("run", "began"), ("run", "pending"),
    ("run", "active"), ("run", "pipeline"), ("item", "progress"), ("item", "progress"),
    ("item", "status"), ("item", "key"), ("subject", "subject"), ("history", "events"),
    ("history", "at"), ("owner", "epoch"),
  ]

  @Test func `a store whose rows have changed is refused, or its run continues or halts`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder("run.sqlite")
    let sound = folder("sound.sqlite")
    try StoreText.restore(
      String(contentsOf: GoldenStoreTests.golden, encoding: .utf8), to: sound)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: sound)))
    let fuzz = Fuzz("stored rows", inputs: 400, share: 0.05)
    var refused = 0
    while let seed = try fuzz.next() {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        if file.hasPrefix("run.") { try FileManager.default.removeItem(atPath: folder(file)) }
      }
      var random = SeededGenerator(seed: seed)
      if seed % 4 == 0 {
        let damaged = Self.damaged(bytes, &random)
        fuzz.trying("the file with some bytes changed", seed: seed)
        try Data(damaged).write(to: URL(filePath: path))
      } else {
        try Data(bytes).write(to: URL(filePath: path))
        fuzz.trying(try Self.change(path, &random), seed: seed)
      }
      if try await !goesOn(path) { refused += 1 }
    }
    #expect(refused > 0)
  }

  private static func damaged(
    _ bytes: [UInt8], _ random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.next(20) { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
    return bytes
  }

  /// Changes values of some rows, and returns which.
  private static func change(_ path: String, _ random: inout SeededGenerator) throws -> String {
    let database = try Database(path: path)
    try database.execute("PRAGMA ignore_check_constraints = 1")
    var told: [String] = []
    for _ in 0...random.next(3) {
      let (table, column) = columns[random.next(columns.count)]
      let (row, seed) = (random.next(4), random.next())
      let sql = "UPDATE \(table) SET \(column) = ? WHERE rowid = ?"
      let text = try database.first(
        "SELECT rowid, \(column) FROM \(table) LIMIT 1 OFFSET ?", row
      ) { old in
        var damage = TextDamage(seed: seed, pieces: pieces)
        let id = try old.integer(0)
        // A key may already exist.
        if let blob = try? old.blob(1) {
          let new = damage.apply(to: blob)
          try? database.run(sql, new, id)
          return String(decoding: new, as: UTF8.self)
        }
        if let text = try? old.text(1) {
          let new = String(decoding: damage.apply(to: Array(text.utf8)), as: UTF8.self)
          try? database.run(sql, new, id)
          return new
        }
        let new = [Int64.max, .min, -1, 0, 1, 7, 1 << 33, 1 << 48][Int(seed % 8)]
        try? database.run(sql, new, id)
        return "\(new)"
      }
      if let text { told.append("\(table).\(column) of row \(row): \(text)") }
    }
    return told.joined(separator: "\n")
  }

  /// Whether the store can be read; its run is continued as far as possible.
  private func goesOn(_ path: String) async throws -> Bool {
    let store: SQLiteCheckpointStore
    do throws(StoreFailure) {
      store = try await SQLiteCheckpointStore(path: path, pipeline: Sample.pipeline)
    } catch {
      #expect(!error.message.isEmpty)
      return false
    }
    var isSound = true
    do throws(StoreFailure) {
      _ = try await store.claim()
      let state = try await store.load()
      for loop in 0...1 { _ = try await store.items(loop: loop, status: nil, after: -1, limit: 9) }
      _ = try await store.history(after: 0, limit: 99)
      await Self.drive(state, store)
    } catch {
      #expect(!error.message.isEmpty)
      isSound = false
    }
    await store.close()
    return isSound
  }

  /// Lets the machine continue from the state, with possible responses of any server, for this long.
  private static func drive(_ state: RunState, _ store: SQLiteCheckpointStore) async {
    var machine = Machine(state, evaluator: Evaluator(Sample.pipeline))
    var now = state.began
    var events: [Event] = [.runResumed, .unpaused]
    for turn in 0..<80 {
      guard !events.isEmpty else { return }
      for effect in machine.apply(events.removeFirst(), at: now) {
        switch effect {
        case .loadItems(let loop, let status, let after, let limit):
          do throws(StoreFailure) {
            let items = try await store.items(
              loop: loop, status: status, after: after, limit: limit)
            events.append(.itemsLoaded(loop: loop, items, isLast: items.count < limit))
          } catch {
            events.append(.loadFailed(loop: loop, Failure(error.message)))
          }
        case .perform(let command):
          events.append(
            .concluded(
              command.id,
              turn % 3 == 0
                ? .fail(Failure("400")) : .retry(Failure("503"), after: nil, progressed: false)))
        case .discardFiles(let key, let bytes, _): events.append(.filesDiscarded(key, bytes: bytes))
        case .setTimer(let instant):
          now = max(now, instant)
          events.append(.timerFired)
        case .enumerate(let loop): events.append(.enumerationFailed(loop: loop, Failure("no list")))
        case .answerRenewal, .interrupt, .endAllowance: continue
        case .stop: return
        }
      }
    }
  }
}
