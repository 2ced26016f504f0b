import CEL
import Testing

struct TimestampTests {
  @Test(arguments: [
    "", "2024-05-01", "2024-05-01T12:00:00", "2024-05-01 12:00:00Z", "2024-05-01t12:00:00z",
    "2024-13-01T00:00:00Z", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-05-01T24:00:00Z",
    "2024-05-01T12:60:00Z", "2024-05-01T12:00:60Z", "2024-05-01T12:00:00.Z", "24-05-01T12:00:00Z",
    "2024-05-01T12:00:00+2", "2024-05-01T12:00:00+24:00", "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    "2024-05-01T12:00:00Z ", "２024-05-01T12:00:00Z",
  ])
  func `text that is not a timestamp is refused`(_ text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
    (
      "2024-02-29T23:59:59.123456789Z", 1_709_251_199, 123_456_789, "2024-02-29T23:59:59.123456789Z"
    ),
    ("2024-05-01T12:00:00.500+02:00", 1_714_557_600, 500_000_000, "2024-05-01T10:00:00.5Z"),
    ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    (
      "9999-12-31T23:59:59.999999999999Z", 253_402_300_799, 999_999_999,
      "9999-12-31T23:59:59.999999999Z"
    ),
    ("1969-12-31T23:59:59.5Z", -1, 500_000_000, "1969-12-31T23:59:59.5Z"),
    ("1900-02-28T00:00:00-05:30", -2_203_957_800, 0, "1900-02-28T05:30:00Z"),
  ])
  func `a timestamp is read and written`(
    _ text: String, _ seconds: Int64, _ nanoseconds: Int32, _ written: String
  ) throws {
    let timestamp = try #require(Timestamp(rfc3339: text))
    #expect(timestamp.seconds == seconds)
    #expect(timestamp.nanoseconds == nanoseconds)
    #expect(timestamp.rfc3339 == written)
    #expect(Timestamp(rfc3339: written) == timestamp)
  }

  @Test func `every day of four centuries is written and read back`() throws {
    let first = try #require(Timestamp(rfc3339: "1800-01-01T00:00:00Z"))
    for day in stride(from: Int64(0), to: 146_097, by: 13) {
      let timestamp = try #require(Timestamp(seconds: first.seconds + day * 86_400))
      #expect(Timestamp(rfc3339: timestamp.rfc3339) == timestamp)
    }
  }

  @Test func `sums outside the range have no value`() throws {
    let last = try #require(Timestamp(seconds: 253_402_300_799, nanoseconds: 999_999_999))
    #expect(last.adding(.nanoseconds(1)) == nil)
    #expect(last.adding(.seconds(Int64.max)) == nil)
    #expect(last.subtracting(.seconds(-1)) == nil)
    #expect(last.adding(.seconds(-0.5))?.nanoseconds == 499_999_999)
    #expect(Timestamp(seconds: 253_402_300_800) == nil)
    #expect(Timestamp(seconds: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(Timestamp(seconds: 0, nanoseconds: -1) == nil)
  }

  @Test func `seconds since 1970 are kept to a microsecond`() throws {
    let timestamp = try #require(Timestamp(secondsSince1970: 1_714_557_600.25))
    #expect(timestamp.rfc3339 == "2024-05-01T10:00:00.25Z")
    #expect(timestamp.secondsSince1970 == 1_714_557_600.25)
    #expect(Timestamp(secondsSince1970: -0.25)?.rfc3339 == "1969-12-31T23:59:59.75Z")
    #expect(Timestamp(secondsSince1970: 0.9999999999)?.seconds == 1)
    #expect(Timestamp(secondsSince1970: .nan) == nil)
    #expect(Timestamp(secondsSince1970: 1e300) == nil)
  }

  @Test(arguments: [
    ("1h30m", "5400s"), ("-1.5h", "-5400s"), ("1h45m47s", "6347s"), ("250ms", "0.25s"),
    ("1us", "0.000001s"),
    ("1µs", "0.000001s"), ("0", "0s"), ("-0.5s", "-0.5s"), ("1.000000001s", "1.000000001s"),
    (".5s", "0.5s"),
    ("0.0000000009s", "0s"), ("315576000000s", "315576000000s"),
  ])
  func `durations are read and written`(_ text: String, _ written: String) throws {
    #expect(try evaluate("string(duration('\(text)'))") == .string(written))
  }

  @Test(arguments: [
    "", "1", "s", "1x", "1 s", "--1s", "1.s.", "1h-1m", ".s", "315576000001s",
    "9999999999999999999999h",
  ])
  func `text that is not a duration is refused`(_ text: String) throws {
    #expect(try failure("duration('\(text)')") != nil)
  }

  @Test(arguments: [
    ("getFullYear('Pacific/Auckland')", 2024), ("getDayOfWeek()", 0),
    ("getDate('Asia/Kathmandu')", 1),
    ("getHours('-03:30')", 20), ("getMinutes('Asia/Kathmandu')", 44), ("getMilliseconds()", 999),
    ("getDayOfYear()", 364), ("getMonth('UTC')", 11),
  ])
  func `parts are those of the time zone`(_ call: String, _ expected: Int64) throws {
    #expect(try evaluate("timestamp('2023-12-31T23:59:59.999Z').\(call)") == .int(expected))
  }
}
