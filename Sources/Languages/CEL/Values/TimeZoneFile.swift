import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Seconds east of UTC in a zone: a name of the database, `UTC`, `+hh:mm`, `-hh:mm` or `hh:mm`.
func timeZoneOffset(_ zone: String, at timestamp: Timestamp) -> Int64? {
  if let first = zone.utf8.first, first.isDigit || "+-".utf8.contains(first) {
    var reader = DigitReader(first.isDigit ? "+" + zone : zone)
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    return offset
  }
  if zone == "UTC" { return 0 }
  return TimeZoneFile.cached(zone)?.offset(at: timestamp.seconds)
}

/// A time zone of the system's database, read from its file (RFC 9636).
///
/// Foundation's time zones would link ICU and its 34 MB of data into every program.
struct TimeZoneFile: Sendable {
  /// When an offset starts to apply, in seconds since 1970, in ascending order.
  private var changes: [Int64] = []
  /// For each change, the seconds east of UTC from then on.
  private var offsets: [Int64] = []
  /// Seconds east of UTC before the first change.
  private var first: Int64 = 0
  /// The rule for times after the last change; `nil` if the last offset stays.
  private var rule: TimeZoneRule?

  init?(named name: String) {
    let isName = name.utf8.allSatisfy { byte in
      byte.isAlphanumeric || "+-/_".utf8.contains(byte)
    }
    guard isName, !name.isEmpty, !name.hasPrefix("/") else { return nil }
    for folder in ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/var/db/timezone/zoneinfo"] {
      if let bytes = Self.content(of: folder + "/" + name) {
        self.init(bytes)
        return
      }
    }
    return nil
  }

  /// Reads the 64-bit part of a file of version 2 or later.
  init?(_ bytes: [UInt8]) {
    var reader = TimeZoneReader(bytes: bytes)
    guard let short = reader.header(), short.version >= 0x32,
      reader.skip(short.length(timeSize: 4)), let header = reader.header()
    else { return nil }
    for _ in 0..<header.changes {
      guard let time = reader.integer(8) else { return nil }
      changes.append(time)
    }
    guard let indices = reader.bytes(header.changes) else { return nil }
    var types: [(offset: Int64, isDaylight: Bool)] = []
    for _ in 0..<header.types {
      guard let offset = reader.integer(4), let flags = reader.bytes(2) else { return nil }
      types.append((offset, flags.first == 1))
    }
    guard !types.isEmpty, indices.allSatisfy({ Int($0) < types.count }),
      reader.skip(header.rest(timeSize: 8))
    else { return nil }
    offsets = indices.map { types[Int($0)].offset }
    first = types[0].offset
    rule = reader.footer().flatMap(TimeZoneRule.init)
  }

  func offset(at seconds: Int64) -> Int64 {
    guard let last = changes.last else { return rule?.offset(at: seconds) ?? first }
    if seconds >= last, let rule { return rule.offset(at: seconds) }
    let next = changes.partitionPoint { $0 > seconds }
    return next == 0 ? first : offsets[next - 1]
  }

  private static let known = Mutex<[String: TimeZoneFile?]>([:])

  /// The zone with that name, read once; only as many names are kept as a pipeline has reason to use.
  static func cached(_ name: String) -> TimeZoneFile? {
    if let zone = known.withLock({ $0[name] }) { return zone }
    let zone = TimeZoneFile(named: name)
    known.withLock { if $0.count < 100 { $0[name] = .some(zone) } }
    return zone
  }

  private static func content(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // The largest file of the database has less than 4 kB.
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return ferror(file) == 0 ? Array(bytes[..<count]) : nil
  }
}

private struct TimeZoneHeader {
  let version: UInt8
  let universal, standard, leaps, changes, types, characters: Int

  func rest(timeSize: Int) -> Int { characters + leaps * (timeSize + 4) + standard + universal }

  /// The bytes of the block after its header.
  func length(timeSize: Int) -> Int {
    changes * (timeSize + 1) + types * 6 + rest(timeSize: timeSize)
  }
}

private struct TimeZoneReader {
  let bytes: [UInt8]
  var position = 0

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, bytes.count - position >= count else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

  /// A signed number of `size` bytes, highest byte first.
  mutating func integer(_ size: Int) -> Int64? {
    guard let bytes = bytes(size), let first = bytes.first else { return nil }
    return bytes.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  mutating func header() -> TimeZoneHeader? {
    guard let start = bytes(20), start.prefix(4).elementsEqual("TZif".utf8) else { return nil }
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = integer(4), count >= 0 else { return nil }
      counts.append(Int(count))
    }
    return TimeZoneHeader(
      version: start[start.startIndex + 4], universal: counts[0], standard: counts[1],
      leaps: counts[2], changes: counts[3], types: counts[4], characters: counts[5])
  }

  /// The text between the two line feeds at the end.
  mutating func footer() -> String? {
    guard let start = bytes(1), start.first == 0x0A else { return nil }
    return String(validating: bytes[position...].prefix { $0 != 0x0A }, as: UTF8.self)
  }
}

/// A rule in the form of POSIX's TZ variable, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable {
  private struct Turn {
    enum Day {
      /// 1 to 365; 29 February is not counted.
      case julian(Int)
      case ordinal(Int)
      /// A weekday (0 for Sunday) of a week of a month; the fifth week is the last one.
      case weekday(month: Int, week: Int, day: Int)
    }

    let day: Day
    let time: Int64

    func date(in year: Int) -> Int64 {
      let newYear = CivilDate(year: year, month: 1, day: 1).daysSince1970
      switch day {
      case .ordinal(let number): return newYear + Int64(number)
      case .julian(let number):
        let isLeap = CivilDate.length(ofMonth: 2, year: year) == 29
        return newYear + Int64(number - 1) + (isLeap && number >= 60 ? 1 : 0)
      case .weekday(let month, let week, let day):
        let start = CivilDate(year: year, month: month, day: 1).daysSince1970
        let weekday = Int(((start + 4) % 7 + 7) % 7)
        let offset = (day - weekday + 7) % 7 + (week - 1) * 7
        let length = CivilDate.length(ofMonth: month, year: year)
        return start + Int64(offset < length ? offset : offset - 7)
      }
    }
  }

  private let standard: Int64
  private let daylight: (offset: Int64, start: Turn, end: Turn)?

  init?(_ text: String) {
    var reader = DigitReader(text)
    guard reader.name(), let standard = reader.time() else { return nil }
    // POSIX counts to the west.
    self.standard = -standard
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard reader.name() else { return nil }
    var offset = -standard + 3600
    if !reader.isAt(",") {
      guard let given = reader.time() else { return nil }
      offset = -given
    }
    guard let start = Self.turn(&reader), let end = Self.turn(&reader), reader.isAtEnd
    else { return nil }
    daylight = (offset, start, end)
  }

  private static func turn(_ reader: inout DigitReader) -> Turn? {
    guard reader.take(",") else { return nil }
    let day: Turn.Day
    if reader.take("M") {
      guard let month = reader.number(in: 1...12), reader.take("."),
        let week = reader.number(in: 1...5), reader.take("."),
        let weekday = reader.number(in: 0...6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if reader.take("J") {
      guard let number = reader.number(in: 1...365) else { return nil }
      day = .julian(number)
    } else {
      guard let number = reader.number(in: 0...365) else { return nil }
      day = .ordinal(number)
    }
    guard reader.take("/") else { return Turn(day: day, time: 7200) }
    return reader.time().map { Turn(day: day, time: $0) }
  }

  /// Seconds east of UTC at a time in seconds since 1970.
  func offset(at seconds: Int64) -> Int64 {
    guard let daylight else { return standard }
    let year = CivilTime(secondsSince1970: seconds + standard).date.year
    let start = daylight.start.date(in: year) * 86_400 + daylight.start.time - standard
    let end = daylight.end.date(in: year) * 86_400 + daylight.end.time - daylight.offset
    let isDaylight =
      start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
    return isDaylight ? daylight.offset : standard
  }
}

extension DigitReader {
  /// Skips an abbreviation: letters, or anything in angle brackets.
  fileprivate mutating func name() -> Bool {
    if take("<") {
      _ = prefix { $0 != UInt8(ascii: ">") }
      return take(">")
    }
    return !prefix(while: \.isLetter).isEmpty
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  fileprivate mutating func time() -> Int64? {
    let isNegative = takeSign()
    guard var seconds = number(in: 0...167).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":") {
      guard let part = number(in: 0...59) else { return nil }
      seconds += part * unit
    }
    return Int64(isNegative ? -seconds : seconds)
  }
}
