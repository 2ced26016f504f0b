/// Bytes that discretionary transfers may send over Wi-Fi before they wait for a day (DI4).
public struct TransferBudget: Hashable, Sendable {
  /// The parameters.
  public struct Rules: Hashable, Sendable {
    /// Bytes per period; `nil` means no limit.
    public var bytes: Int64?
    public var period: Duration

    /// About 5 GB in 24 hours.
    public init(bytes: Int64? = 5_000_000_000, period: Duration = .seconds(86400)) {
      (self.bytes, self.period) = (bytes, period)
    }
  }

  /// The rules in force.
  public let rules: Rules
  private var periodStart: Instant?
  private var used: Int64 = 0
  private var closedUntil: Instant?

  /// An unused budget.
  public init(_ rules: Rules = Rules()) { self.rules = rules }

  /// When discretionary transfers may move again; `nil` if they may now.
  public func closed(at now: Instant) -> Instant? {
    guard let closedUntil, now < closedUntil else { return nil }
    return closedUntil
  }

  /// Bytes left at `now`; `nil` means no limit.
  public func left(at now: Instant) -> Int64? {
    guard let bytes = rules.bytes else { return nil }
    if closed(at: now) != nil { return 0 }
    guard let periodStart, closedUntil == nil, now < periodStart + rules.period
    else { return bytes }
    return max(bytes - used, 0)
  }

  /// Records bytes that a discretionary transfer sent over Wi-Fi until `now`.
  public mutating func spend(_ bytes: Int64, at now: Instant) {
    guard let limit = rules.bytes, bytes > 0 else { return }
    if let closedUntil, now >= closedUntil {
      self.closedUntil = nil
      periodStart = nil
    }
    if periodStart.map({ now >= $0 + rules.period }) ?? true {
      periodStart = now
      used = 0
    }
    used += bytes
    if used >= limit { closedUntil = now + rules.period }
  }
}
