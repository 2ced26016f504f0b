/// One of the shares into which a run is divided, so that several processes or machines can work on it.
///
/// Each item belongs to exactly one shard, by a hash of its ``Item/Subject/shardKey``, which every machine computes alike: nothing has to be agreed
/// between them.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// Which one, from 1 to ``count``, or ``leadNumber``.
  public let number: Int
  /// How many shards the run has.
  public let count: Int
  /// ``number`` of the shard that has no items, and does the run-level work; the others start with its results.
  public static let leadNumber = 0
  /// Maximum of ``count``: with more, a shard of a hundred million items would have fewer than a hundred.
  public static let maximumCount = 1_000_000

  /// `nil` unless 1 ≤ `number` ≤ `count` ≤ ``maximumCount``.
  public init?(_ number: Int, of count: Int) {
    guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// A shard as it is stored, which may be the lead, unlike one that users can ask for.
  public init?(stored number: Int, of count: Int) {
    guard (1...Self.maximumCount).contains(count), (Self.leadNumber...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Reads a ``description``, also that of a lead, which no user can ask for.
  public init?(stored text: String) {
    guard text.hasPrefix("lead/") else {
      self.init(text)
      return
    }
    guard let other = Shard("1/" + text.dropFirst("lead/".count)) else { return nil }
    self.init(stored: Self.leadNumber, of: other.count)
  }

  /// Whether it is the lead of a run.
  public var isLead: Bool { number == Self.leadNumber }

  /// Reads `3/16`; `nil` if the text is anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    self.init(numbers[0], of: numbers[1])
  }

  /// `3/16`, or `lead/16`.
  public var description: String { "\(isLead ? "lead" : String(number))/\(count)" }

  /// Whether the item is one of this shard.
  public func owns(_ subject: Item.Subject) -> Bool {
    Self.number(of: subject.shardKey, count: count) == number
  }

  /// The number of the shard, from 1 to `count`, that a key belongs to: the rest of the division of its hash by `count`, plus 1.
  public static func number(of key: String, count: Int) -> Int {
    Int(key.stableHash % UInt64(count)) + 1
  }
}

extension String {
  /// A hash that is the same on each machine and in each version.
  ///
  /// FNV-1a with 64 bits (draft-eastlake-fnv) over the UTF-8 bytes, and then the last steps of MurmurHash3 (`fmix64`),
  /// since the lower bits of FNV by itself are not even enough.
  var stableHash: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}

extension Item.Subject {
  /// What decides to which shard an item belongs: of a file its path below the folder of the glob, so that it does not matter where a machine has
  /// mounted it; of any other element its ``label``.
  public var shardKey: String {
    switch self {
    case .file(let file): file.relative
    case .value(let value): FileValue(value)?.relative ?? label
    }
  }
}
