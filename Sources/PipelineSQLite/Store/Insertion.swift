import GRDB
import PipelineCore
import PipelineEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Appends the items of one loop, in order, with a prepared statement.
struct Insertion {
  private(set) var count = 0
  private let loop: Int
  private let coding: CheckpointCoding
  private let subjects: Statement

  init(loop: Int, _ coding: CheckpointCoding, _ database: Database) throws {
    self.loop = loop
    self.coding = coding
    subjects = try database.cachedStatement(sql: "INSERT INTO subject (key, subject) VALUES (?, ?)")
  }

  mutating func append(_ subject: Item.Subject) throws {
    guard count <= ItemKey.maximumOrdinal else {
      throw StoreFailure(.enumeration, message: "a loop has more than 4294967296 items")
    }
    let key = ItemKey(loop: loop, ordinal: count).row
    try subjects.execute(arguments: [key, Data(coding.encode(subject: subject))])
    count += 1
  }

  /// Makes every item pending; inside SQLite, which is cheaper than binding a second row for each.
  func finish(_ database: Database) throws {
    let rows = ItemKey.rows(ofLoop: loop)
    try database.execute(
      sql: """
        INSERT INTO item (key, status, progress)
        SELECT key, ?, x'' FROM subject WHERE key BETWEEN ? AND ? ORDER BY key
        """,
      arguments: [Item.Status.pending.rawValue, rows.lowerBound, rows.upperBound])
  }
}
