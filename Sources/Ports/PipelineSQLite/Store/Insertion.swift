struct Insertion {
  private(set) var count = 0
  let loop: Int
  let coding: CheckpointCoding
  let database: Database

  mutating func append(_ subject: Item.Subject) throws {
    guard count <= ItemKey.maximumOrdinal
    else { throw StoreFailure(.enumeration, message: "a loop has more than 4294967296 items") }
    let key = ItemKey(loop: loop, ordinal: count).row
    try database.run(
      "INSERT INTO subject (key, subject) VALUES (?, ?)", key, coding.encode(subject: subject))
    count += 1
  }

  /// Makes every item pending; inside SQLite, which is cheaper than binding a second row for each.
  func finish() throws {
    let rows = ItemKey.rows(ofLoop: loop)
    try database.run(
      Schema.statements["insert_items"], Item.Status.pending.rawValue, rows.lowerBound,
      rows.upperBound)
  }
}
