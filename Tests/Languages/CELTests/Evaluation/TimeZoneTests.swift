import Testing

@testable import CEL

/// Time zones are read from the system's database (RFC 9636), and times after its last change follow its rule.
struct TimeZoneTests {
  /// Seconds since 1970 of midday UTC.
  private static let january2024: Int64 = 1_705_320_000
  private static let july2024: Int64 = 1_721_044_800
  private static let january2050: Int64 = 2_525_860_800
  private static let july2050: Int64 = 2_541_499_200

  @Test(arguments: [
    ("Europe/Nowhere", "a zone that the database lacks"), ("", "an empty name"),
    ("../zoneinfo/Europe/Berlin", "a path with dots"), ("/etc/localtime", "an absolute path"),
    ("Europe", "a folder"), ("tzdata.zi", "a file of another format"),
    ("Europe/Berlin\0", "a name with NUL"),
  ])
  func `a name that is not a zone is unknown`(_ name: String, _ what: Comment) {
    #expect(TimeZoneFile(named: name) == nil, what)
  }

  @Test func `a file that ends early is unknown or keeps its offsets`() throws {
    let bytes = Self.berlinSince2000
    for length in 0..<bytes.count {
      guard let zone = TimeZoneFile(Array(bytes[..<length])) else { continue }
      // Only the rule is missing.
      #expect(zone.offset(at: Self.january2024) == 3600)
    }
    #expect(TimeZoneFile(bytes)?.offset(at: Self.july2050) == 7200)
  }

  @Test(arguments: [
    ("Europe/Berlin", [3600, 7200, 3600, 7200]),
    ("America/New_York", [-18000, -14400, -18000, -14400]),
    ("Australia/Sydney", [39600, 36000, 39600, 36000]),
    ("Asia/Kathmandu", [20700, 20700, 20700, 20700]),
    ("Europe/Dublin", [0, 3600, 0, 3600]),
  ])
  func `offsets follow the seasons, before and after the last change of the file`(
    _ name: String, _ expected: [Int64]
  ) throws {
    let zone = try #require(TimeZoneFile(named: name))
    let times = [Self.january2024, Self.july2024, Self.january2050, Self.july2050]
    #expect(times.map(zone.offset(at:)) == expected)
  }

  @Test func `an offset applies from its second on`() throws {
    let zone = try #require(TimeZoneFile(named: "Europe/Berlin"))
    let change: Int64 = 1_711_846_800  // 2024-03-31T01:00:00Z
    #expect(zone.offset(at: change - 1) == 3600)
    #expect(zone.offset(at: change) == 7200)
  }

  @Test(arguments: [
    "", "CET", "1", "CET-1CEST,M3", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0,",
    "<CET-1",
  ])
  func `a rule that POSIX does not define is refused`(_ text: String) {
    #expect(TimeZoneRule(text) == nil)
  }

  @Test func `rules count days in three ways`() throws {
    // Iran's rule of 2021: 21 March, and 21 September, at 24:00 of the day before.
    let julian = try #require(TimeZoneRule("<+0330>-3:30<+0430>,J79/24,J263/24"))
    #expect(julian.offset(at: 1_616_272_199) == 12600)  // 2021-03-20T20:29:59Z
    #expect(julian.offset(at: 1_616_272_200) == 16200)
    let ordinal = try #require(TimeZoneRule("AAA0BBB,0/0,365/25"))
    #expect(ordinal.offset(at: Self.january2024) == 3600)
    // Greenland: two hours before the day starts.
    let negative = try #require(TimeZoneRule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0"))
    #expect(negative.offset(at: Self.january2024) == -7200)
    #expect(negative.offset(at: Self.july2024) == -3600)
  }

  /// A small file with the form of the database: one change, in 2000, and Berlin's rule.
  private static let berlinSince2000: [UInt8] = {
    func header(_ counts: [Int]) -> [UInt8] {
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        + counts.flatMap { [0, 0, 0, UInt8($0)] }
    }
    let change: [UInt8] = [0, 0, 0, 0, 0x38, 0x6D, 0x43, 0x80]
    let type: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0]
    let block = [0, 0, 0, 1, 1, 4]
    return header([0, 0, 0, 0, 1, 4]) + type + Array("CET\0".utf8) + header(block) + change + [0]
      + type
      + Array("CET\0".utf8) + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
  }()
}
