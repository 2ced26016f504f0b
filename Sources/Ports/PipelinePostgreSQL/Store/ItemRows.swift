/// Rows of new items, collected to be sent with `COPY`.
struct ItemRows {
  private let run: [UInt8]
  private let coding: CheckpointCoding
  private var subjects: [UInt8] = []
  private var items: [UInt8] = []
  private(set) var count = 0

  init(run: Int, _ coding: CheckpointCoding) {
    self.run = Self.column(Int64(run))
    self.coding = coding
  }

  /// Whether it is time to send them: they occupy several megabytes.
  var isFull: Bool { count >= 10_000 }

  mutating func append(_ subject: Item.Subject, shard: Int, loop: Int, ordinal: Int) throws {
    guard ordinal <= ItemKey.maximumOrdinal else {
      throw StoreFailure(.enumeration, message: "a loop has more than 4294967296 items in a shard")
    }
    let key =
      run + Self.column(Int64(shard)) + Self.column(ItemKey(loop: loop, ordinal: ordinal).row)
    let bytes = coding.encode(subject: subject)
    subjects += Self.fourColumns + key + Parameter.bigEndian(Int32(bytes.count)) + bytes
    items += Self.fiveColumns + key + Self.pending
    count += 1
  }

  /// Sends the collected rows; in one transaction if the session has started one.
  mutating func flush(_ session: Session) throws {
    guard count > 0 else { return }
    let (subjects, items) = (subjects, items)
    try session.copy("COPY subject (run, shard, key, subject) FROM STDIN (FORMAT binary)") {
      try $0(subjects)
    }
    try session.copy("COPY item (run, shard, key, status, progress) FROM STDIN (FORMAT binary)") {
      try $0(items)
    }
    self.subjects.removeAll(keepingCapacity: true)
    self.items.removeAll(keepingCapacity: true)
    count = 0
  }

  private static let fourColumns = Parameter.bigEndian(Int16(4))
  private static let fiveColumns = Parameter.bigEndian(Int16(5))
  /// The status, and a progress without bytes.
  private static let pending =
    column(Int64(Item.Status.pending.rawValue)) + Parameter.bigEndian(Int32(0))

  private static func column(_ number: Int64) -> [UInt8] {
    Parameter.bigEndian(Int32(8)) + Parameter.bigEndian(number)
  }
}
