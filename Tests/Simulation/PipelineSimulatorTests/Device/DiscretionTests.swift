import PipelineCore
import PipelineScenarios
import PipelineSimulator
import Testing

struct DiscretionTests {
  private static let commuting = DeviceConditions(
    network: .cellular, isExpensive: true, hasPower: false, battery: 0.6)

  @Test func `DI1: the app's choice only applies to transfers from the foreground`() {
    #expect(!Discretion(isAsked: false, isFromBackground: false).isDiscretionary)
    #expect(Discretion(isAsked: true, isFromBackground: false).isDiscretionary)
    #expect(Discretion(isAsked: false, isFromBackground: true).isDiscretionary)
  }

  @Test func `DI2: the inference is lifted when the app comes to the front, since iOS 8`() {
    var lifted = Discretion(isFromBackground: true)
    lifted.appCameToFront()
    #expect(!lifted.isDiscretionary)
    var asked = Discretion(isAsked: true, isFromBackground: true)
    asked.appCameToFront()
    #expect(asked.isDiscretionary)
    var kept = Discretion(DeviceProfile.ios7.discretion, isFromBackground: true)
    kept.appCameToFront()
    #expect(kept.isDiscretionary)
  }

  @Test func `DI3: a discretionary transfer waits for Wi-Fi and for the charger`() {
    let discretion = Discretion(isFromBackground: true)
    #expect(discretion.hold(under: Self.commuting) == .discretionaryNetwork)
    #expect(discretion.hold(under: .init(hasPower: false)) == .discretionaryPower)
    #expect(discretion.hold(under: .init()) == nil)
    #expect(Discretion(isFromBackground: false).hold(under: Self.commuting) == nil)
  }

  @Test func `DI6: with a low battery or to save power only the essential runs`() {
    let discretion = Discretion(isFromBackground: true)
    #expect(discretion.hold(under: .init(hasPower: false, battery: 0.19)) == .energy)
    #expect(discretion.hold(under: .init(hasPower: false, isLowPowerMode: true)) == .energy)
    #expect(discretion.hold(under: .init(battery: 0.1)) == nil, "it is charged")
  }

  @Test func `DI8: kinds of networks are allowed one by one`() {
    let careful = Discretion(
      isFromBackground: false,
      networks: .init(allowsCellular: false, allowsExpensive: false, allowsConstrained: false))
    #expect(careful.hold(under: .init(network: .none)) == .noNetwork)
    #expect(careful.hold(under: .init(network: .cellular)) == .networkNotAllowed)
    #expect(careful.hold(under: .init(isExpensive: true)) == .networkNotAllowed)
    #expect(careful.hold(under: .init(isConstrained: true)) == .networkNotAllowed)
    #expect(careful.hold(under: .init()) == nil)
  }

  @Test func `DI4: after 5 GB nothing moves until a day later`() {
    var budget = TransferBudget()
    let start = Instant(milliseconds: 0)
    budget.spend(4_999_999_999, at: start)
    #expect(budget.closed(at: start) == nil)
    #expect(budget.left(at: start) == 1)
    let hour = start + .seconds(3600)
    budget.spend(1, at: hour)
    #expect(budget.closed(at: hour) == hour + .seconds(86400))
    #expect(budget.left(at: hour) == 0)
    let nextDay = hour + .seconds(86400)
    #expect(budget.closed(at: nextDay) == nil)
    #expect(budget.left(at: nextDay) == 5_000_000_000)
    budget.spend(10, at: nextDay)
    #expect(budget.left(at: nextDay) == 4_999_999_990)
  }

  @Test func `DI4: bytes sent a day ago no longer count`() {
    var budget = TransferBudget()
    budget.spend(4_000_000_000, at: Instant(milliseconds: 0))
    let next = Instant(milliseconds: 86_400_000)
    #expect(budget.left(at: next) == 5_000_000_000)
  }
}
