extension Duration {
  /// The number of milliseconds, rounded up, and clamped so that instants can be moved by it.
  static func clamped(milliseconds: Double) -> Duration {
    guard milliseconds.isFinite else { return .milliseconds(Self.most) }
    return .milliseconds(
      Int64(min(max(milliseconds.rounded(.up), -Double(Self.most)), Double(Self.most))))
  }

  /// 300,000 years.
  private static var most: Int64 { 9_000_000_000_000_000 }
}
