/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  /// The year; 0 is the one before the first.
  package var year: Int
  /// The month, from 1.
  package var month: Int
  /// The day of the month, from 1.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Days are counted from 1 March, so that the leap day comes last in its year.
  package init(daysSince1970 days: Int64) {
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days from 1970-01-01, negative before.
  package var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let shiftedMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A second as a calendar and a clock show it.
package struct CivilTime: Hashable, Sendable {
  package let date: CivilDate
  /// 0 to 23.
  package let hour: Int
  /// 0 to 59.
  package let minute, second: Int
  /// 0 to 999.
  package let millisecond: Int
  /// 0 for Sunday.
  package let weekday: Int
  /// 0 for the first of January.
  package let dayOfYear: Int

  /// The parts of a second that is counted from 1970.
  package init(secondsSince1970 seconds: Int64, millisecond: Int = 0) {
    self.millisecond = millisecond
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let clock = Int(seconds - days * 86_400)
    date = CivilDate(daysSince1970: days)
    hour = clock / 3600
    minute = clock / 60 % 60
    second = clock % 60
    // 1970 started on a Thursday.
    weekday = Int(((days + 4) % 7 + 7) % 7)
    dayOfYear = Int(days - CivilDate(year: date.year, month: 1, day: 1).daysSince1970)
  }

  /// `1994-11-06T08:49:37`, the start of RFC 3339 text.
  package var rfc3339: String {
    """
    \(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))\
    T\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))
    """
  }
}

/// A number that is not negative, with zeros in front.
package func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
