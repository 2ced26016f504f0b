import GRDB
import PipelineCore
import PipelineEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Appends the items of one loop, in order, with statements that are prepared once.
struct Insertion {
  private(set) var count = 0
  private let loop: Int
  private let coding: CheckpointCoding
  private let subjects: Statement
  private let items: Statement
  private static let empty = Data()

  init(loop: Int, _ coding: CheckpointCoding, _ database: Database) throws {
    self.loop = loop
    self.coding = coding
    subjects = try database.cachedStatement(sql: "INSERT INTO subject (key, subject) VALUES (?, ?)")
    items = try database.cachedStatement(
      sql: "INSERT INTO item (key, status, progress) VALUES (?, ?, ?)")
  }

  mutating func append(_ subject: Item.Subject) throws {
    guard count <= ItemKey.maximumOrdinal else {
      throw StoreFailure(.enumeration, message: "a loop has more than 4294967296 items")
    }
    let key = ItemKey(loop: loop, ordinal: count).row
    try subjects.execute(arguments: [key, Data(coding.encode(subject: subject))])
    try items.execute(arguments: [key, Item.Status.pending.rawValue, Self.empty])
    count += 1
  }
}
