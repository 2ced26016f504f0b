import PipelineCore

/// Items are rows of a plain table with one integer key, so that they are appended in order and read in
/// order.
extension ItemKey {
  private static let ordinalBits = 32

  /// Greatest ordinal that fits into a row's key.
  static let maximumOrdinal = 1 << ordinalBits - 1

  /// The row's key: `loop · 2³² + ordinal`.
  var row: Int64 { Int64(loop) << Self.ordinalBits | Int64(ordinal) }

  /// Reads a row's key.
  init(row: Int64) {
    self.init(loop: Int(row >> Self.ordinalBits), ordinal: Int(row & Int64(Self.maximumOrdinal)))
  }

  /// Keys of all rows of a loop.
  static func rows(ofLoop loop: Int) -> ClosedRange<Int64> {
    Self(loop: loop, ordinal: 0).row...Self(loop: loop, ordinal: maximumOrdinal).row
  }
}
