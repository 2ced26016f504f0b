/// SplitMix64 (Steele, Lea, Flood 2014): a seeded generator whose whole state is a value.
public struct SplitMix64: Hashable, Sendable, RandomNumberGenerator {
  public private(set) var state: UInt64

  /// Starts the sequence of `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 on, below 1.
  public mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
