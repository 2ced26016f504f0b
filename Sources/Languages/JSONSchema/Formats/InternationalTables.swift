/// Properties of code points that Swift does not offer; Unicode 14.0: class, then ranges.
enum InternationalTables {
  /// The bidirectional class, among those that RFC 5893 §2 names; marks and letters that are in
  /// none of these ranges are `NSM` and `L`.
  static let bidirectional = classes(
    ["R", "AL", "AN", "EN", "ES", "ET", "CS", "ON", "BN"], in: PackageResources.bidirectional_txt)

  /// The joining types `L`, `R` and `D` (RFC 5892 appendix A.1).
  static let joining = classes(["L", "R", "D"], in: PackageResources.joining_txt)

  static func name(
    of value: UInt32, in classes: [(name: String, ranges: [ClosedRange<UInt32>])]
  ) -> String? { classes.first { CodePointTable.contains(value, in: $0.ranges) }?.name }

  private static func classes(
    _ names: [String], in bytes: [UInt8]
  ) -> [(name: String, ranges: [ClosedRange<UInt32>])] {
    let text = String(decoding: bytes, as: UTF8.self)
    return names.compactMap { name in CodePointTable.ranges(name, in: text).map { (name, $0) } }
  }
}
