/// Items are rows of a plain table with one integer key, `loop · 2³² + ordinal`, in order.
extension ItemKey {
  private static let ordinalBits = 32
  package static let maximumOrdinal = 1 << ordinalBits - 1
  package var row: Int64 { Int64(loop) << Self.ordinalBits | Int64(ordinal) }

  package init(row: Int64) {
    self.init(loop: Int(row >> Self.ordinalBits), ordinal: Int(row & Int64(Self.maximumOrdinal)))
  }

  package static func rows(ofLoop loop: Int) -> ClosedRange<Int64> {
    Self(loop: loop, ordinal: 0).row...Self(loop: loop, ordinal: maximumOrdinal).row
  }
}
