public struct PropertyResult: Hashable, Sendable {
  public let name: String
  public let holds: Bool
  public let violatedAt: Duration?
  public let explanation: String?
  public let isVacuous: Bool
}
