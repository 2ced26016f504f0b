/// Sizes in bytes as the language writes them: `512 MiB`, `1.5 GB`, `4096`.
package enum SizeLiteral {
  package typealias Problem = LiteralProblem

  private static func unit(meantBy word: String) -> String? {
    switch word.lowercased() {
    case "byte", "bytes", "b": "B"
    case "kib", "ki": "KiB"
    case "mib", "mi": "MiB"
    case "gib", "gi": "GiB"
    case "tib", "ti": "TiB"
    case "kb", "k": "kB"
    case "mb", "m": "MB"
    case "gb", "g": "GB"
    case "tb", "t": "TB"
    default: nil
    }
  }

  package static let pattern = #"^[0-9]+(\.[0-9]+)?\s*(B|kB|KB|KiB|MB|MiB|GB|GiB|TB|TiB)?$"#
  /// Decimal prefixes are powers of 1000, binary ones of 1024 (IEC 80000-13).
  package static let units: [(name: String, bytes: Double)] = [
    ("B", 1), ("kB", 1e3), ("KB", 1e3), ("KiB", 1024), ("MB", 1e6), ("MiB", 1_048_576),
    ("GB", 1e9), ("GiB", 1_073_741_824), ("TB", 1e12), ("TiB", 1_099_511_627_776),
  ]
  /// 8 PiB: exact in a double, and beyond any disk.
  private static let limit = 9_007_199_254_740_992.0

  package static func parse(_ text: String) throws(Problem) -> Int64 {
    var rest = Substring(text).trimmed
    guard let number = rest.takeNumber() else {
      throw Problem(message: "expected a size such as '512 MiB' or '4096', found '\(text)'")
    }
    rest = rest.trimmed
    guard let length = rest.isEmpty ? 1 : units.first(where: { $0.name == rest })?.bytes else {
      throw Problem(
        message:
          "unknown unit '\(rest)', expected 'B', 'kB', 'KiB', 'MB', 'MiB', 'GB', 'GiB', 'TB' or 'TiB'",
        suggestion: unit(meantBy: String(rest)).map {
          text.replacing(rest, with: $0, maxReplacements: 1)
        })
    }
    let bytes = (number * length).rounded()
    guard bytes < limit else { throw Problem(message: "'\(text)' is more than 8 PiB") }
    return Int64(bytes)
  }
}
