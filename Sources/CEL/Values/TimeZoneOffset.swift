/// The offset of `zone` at `timestamp`, in seconds east of UTC.
///
/// - Parameter zone: a name of the time zone database, `UTC`, or an offset `+hh:mm`, `-hh:mm` or
///   `hh:mm`.
func timeZoneOffset(_ zone: String, at timestamp: Timestamp) -> Int64? {
  if let first = zone.utf8.first, first == 0x2B || first == 0x2D || (0x30...0x39).contains(first) {
    var reader = DigitReader((0x30...0x39).contains(first) ? "+" + zone : zone)
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    return offset
  }
  if zone == "UTC" { return 0 }
  return TimeZoneFile.cached(zone)?.offset(at: timestamp.seconds)
}
