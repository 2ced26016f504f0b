import Basics

extension Library {
  static let timestamps: [Function] = [
    part("getDate") { $0.date.day },
    part("getDayOfMonth") { $0.date.day - 1 },
    part("getDayOfWeek") { $0.weekday },
    part("getDayOfYear") { $0.dayOfYear },
    part("getFullYear") { $0.date.year },
    part("getHours", ofDuration: { $0.count / 3_600_000_000_000 }) { $0.hour },
    // For a duration, the specification defines the milliseconds within its last second.
    part("getMilliseconds", ofDuration: { $0.count / 1_000_000 % 1000 }) { $0.millisecond },
    part("getMinutes", ofDuration: { $0.count / 60_000_000_000 }) { $0.minute },
    part("getMonth") { $0.date.month - 1 },
    part("getSeconds", ofDuration: { $0.count / 1_000_000_000 }) { $0.second },
  ]

  /// A timestamp as a calendar and a clock show it `offset` seconds east of UTC.
  private static func parts(of time: Timestamp, offset: Int64) -> CivilTime {
    CivilTime(
      secondsSince1970: time.seconds + offset, millisecond: Int(time.nanoseconds) / 1_000_000)
  }

  /// A part of the calendar or the clock, in UTC or in a time zone, or of a duration.
  private static func part(
    _ name: String, ofDuration: (@Sendable (Nanoseconds) -> Int128)? = nil,
    _ part: @escaping @Sendable (CivilTime) -> Int
  ) -> Function {
    var overloads: [Overload] = [
      .method(.timestamp, returns: .int) { (arguments, _) throws(EvaluationError) in
        guard let time = arguments[0].timestampValue else { throw .noOverload(name, arguments[0]) }
        return .int(Int64(part(parts(of: time, offset: 0))))
      },
      .method(.timestamp, .string, returns: .int) { (arguments, meter) throws(EvaluationError) in
        guard let time = arguments[0].timestampValue else { throw .noOverload(name, arguments[0]) }
        let zone = arguments.text(1)
        try meter.charge(100)
        guard zone.utf8.count <= 64, let offset = timeZoneOffset(zone, at: time) else {
          throw .argument("string is not a time zone such as 'Europe/Berlin' or '+02:00'")
        }
        return .int(Int64(part(parts(of: time, offset: offset))))
      },
    ]
    if let ofDuration {
      overloads.append(
        .method(.duration, returns: .int) { (arguments, _) throws(EvaluationError) in
          guard case .duration(let span) = arguments[0], let count = Nanoseconds(span) else {
            throw .noOverload("'\(name)'", arguments[0])
          }
          return .int(Int64(ofDuration(count)))
        })
    }
    return Function(name, overloads: overloads)
  }
}
