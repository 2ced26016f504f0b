/// SplitMix64: the same numbers for the same seed on every machine.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts with `seed`.
  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number below `bound`.
  public mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// Damages texts as editors, merges and mishaps do, by a seed.
public struct TextDamage {
  private var random: SeededGenerator
  private let pieces: [String]

  /// Damage by `seed`, with things put in that mean something in the texts.
  public init(seed: UInt64, pieces: [String]) {
    random = SeededGenerator(seed: seed)
    self.pieces = pieces
  }

  /// A text of nothing but pieces.
  public mutating func soup() -> [UInt8] {
    (0...number(1...80)).flatMap { _ in Array(pieces[number(0...(pieces.count - 1))].utf8) }
  }

  /// One to five kinds of damage, in sequence; the result stays under 64 KiB.
  public mutating func apply(to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<number(1...5) {
      let start = number(0...bytes.count)
      let end = min(bytes.count, start + number(0...30))
      switch number(0...8) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.removeSubrange(start...)
      case 2:
        bytes.insert(contentsOf: pieces[number(0...(pieces.count - 1))].utf8, at: start)
      case 3: bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + 400)], at: start)
      case 4: swapLines(&bytes)
      case 5:
        let piece = pieces[number(0...(pieces.count - 1))]
        let many = String(repeating: piece, count: number(2...300))
        bytes.insert(contentsOf: many.utf8, at: start)
      case 6: bytes.insert(UInt8(number(0...255)), at: start)
      case 7: indent(&bytes)
      default:
        let from = number(0...bytes.count)
        bytes.replaceSubrange(start..<end, with: Array(bytes[from..<min(bytes.count, from + 60)]))
      }
    }
    return Array(bytes.prefix(65_536))
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func swapLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return }
    lines.swapAt(number(0...(lines.count - 1)), number(0...(lines.count - 1)))
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private mutating func indent(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Array.init)
    guard !lines.isEmpty else { return }
    let index = number(0...(lines.count - 1))
    if number(0...1) == 0 {
      lines[index].insert(contentsOf: "  ".utf8, at: 0)
    } else {
      lines[index].removeFirst(min(2, lines[index].count))
    }
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
