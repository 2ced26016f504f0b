import Foundation
import Testing

@testable import DemoServer

struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    (951_782_400_250, "2000-02-29T00:00:00.250Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_772_366_399_007, "2026-03-01T11:59:59.007Z", "Sun, 01 Mar 2026 11:59:59 GMT"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z", "Mon, 01 Mar 2100 00:00:00 GMT"),
  ])
  func `a moment has its text in both forms`(milliseconds: Int64, rfc3339: String, http: String) {
    let moment = Timestamp(milliseconds: milliseconds)
    #expect(moment.rfc3339 == rfc3339)
    #expect(moment.httpDate == http)
  }

  @Test func `the calendar agrees with Foundation's over four centuries`() {
    let formatter = ISO8601DateFormatter()
    for day in stride(from: -40_000 as Int64, to: 110_000, by: 17) {
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(day) * 86_400))
      let moment = Timestamp(milliseconds: day * 86_400_000)
      #expect(moment.rfc3339 == text.replacing("Z", with: ".000Z"))
    }
  }
}
