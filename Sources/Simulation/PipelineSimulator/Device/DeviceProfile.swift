/// The parameters of one kind of device; `docs/simulation.md` lists the source of each number.
public struct DeviceProfile: Hashable, Sendable {
  /// The name, such as `ios8`.
  public var name: String
  /// BT1–BT8.
  public var allowance: ExecutionAllowance.Rules
  /// RL1–RL8.
  public var limiter = ResumeRateLimiter.Rules()
  /// DI1, DI2, DI6.
  public var discretion = Discretion.Rules()
  /// DI4.
  public var budget = TransferBudget.Rules()
  /// TX1–TX24.
  public var transfers = TransferDaemon.Rules()

  /// The numbers that this project was based on: 180 s after the foreground, 30 s per resume.
  public static let classic = Self(
    name: "classic", allowance: .init(afterForeground: .seconds(180)))

  /// iOS 7: the delay applies to resumes, and transfers stay discretionary forever.
  public static let ios7 = Self(
    name: "ios7", allowance: .init(afterForeground: .seconds(180)),
    limiter: .init(generation: .resumes), discretion: .init(isLiftedInFront: false))

  /// iOS 8 to 10.
  public static let ios8 = Self(name: "ios8", allowance: .init(afterForeground: .seconds(180)))
  /// iOS 13 to 16: 30 s after the foreground.
  public static let ios13 = Self(name: "ios13", allowance: .init(afterForeground: .seconds(30)))

  /// iOS 17: uploads are resumed where the server supports it.
  public static let ios17 = Self(
    name: "ios17", allowance: .init(afterForeground: .seconds(30)),
    transfers: .init(resumesUploads: true))

  /// iOS 26.
  public static let ios26 = Self(
    name: "ios26", allowance: .init(afterForeground: .seconds(30)),
    transfers: .init(resumesUploads: true))

  /// The worst case everywhere: early expiry (BT3), refusals (BT5), a slow service (TX21, TX22).
  public static let worst = Self(
    name: "worst", allowance: .init(afterForeground: .seconds(30), certainPart: 0.2, refusals: 0.1),
    limiter: .init(countsBegins: true), discretion: .init(isLiftedInFront: false),
    transfers: .init(startDelay: .seconds(30), softCap: 100, overload: .seconds(300)))

  /// The named profiles.
  public static let all: [Self] = [classic, ios7, ios8, ios13, ios17, ios26, worst]

  /// The profile called `name`.
  public static func named(_ name: String) -> Self? { all.first { $0.name == name } }
}
