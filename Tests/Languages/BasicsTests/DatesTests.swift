import Basics
import Testing

struct DatesTests {
  /// 6 November 1994, 08:49:37, the example of RFC 9110.
  private static let moment: Int64 = 784_111_777

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `each form of a date is read`(_ text: String) {
    #expect(HTTPDate.seconds(of: text, at: 1_700_000_000) == Self.moment)
  }

  @Test func `the preferred form is written`() {
    #expect(HTTPDate.text(secondsSince1970: Self.moment) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(secondsSince1970: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
  }

  @Test func `a year of two digits is at most fifty years ahead`() {
    let now = CivilDate(year: 2020, month: 1, day: 1).daysSince1970 * 86_400
    func year(_ digits: String) -> Int? {
      HTTPDate.seconds(of: "Monday, 01-Jan-\(digits) 00:00:00 GMT", at: now)
        .map { CivilTime(secondsSince1970: $0).date.year }
    }
    #expect(year("19") == 2019)
    #expect(year("69") == 2069)
    #expect(year("71") == 1971)
  }

  @Test func `days follow one another through leap years`() {
    var last = CivilDate(year: 1899, month: 12, day: 31)
    for day in last.daysSince1970 + 1...last.daysSince1970 + 80_000 {
      let date = CivilDate(daysSince1970: day)
      let isNext =
        last.day < CivilDate.length(ofMonth: last.month, year: last.year)
        ? date == CivilDate(year: last.year, month: last.month, day: last.day + 1)
        : date.day == 1 && date.month == last.month % 12 + 1
      #expect(isNext && date.daysSince1970 == day)
      last = date
    }
  }
}
