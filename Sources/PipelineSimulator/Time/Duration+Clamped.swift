extension Duration {
  /// So many whole milliseconds, rounded up, and held inside what instants can be moved by.
  static func clamped(milliseconds: Double) -> Duration {
    guard milliseconds.isFinite else { return .milliseconds(Self.most) }
    return .milliseconds(
      Int64(min(max(milliseconds.rounded(.up), -Double(Self.most)), Double(Self.most))))
  }

  /// 300,000 years.
  private static var most: Int64 { 9_000_000_000_000_000 }
}
