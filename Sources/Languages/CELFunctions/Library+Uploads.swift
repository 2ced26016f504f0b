extension Library {
  /// Functions for upload workflows, listed in `docs/expressions.md`.
  public static let uploads = Library(
    name: "uploads",
    functions: digestFunctions + encodingFunctions + rangeFunctions + structureFunctions
      + addressFunctions + markupFunctions + challengeFunctions + groupFunctions, constants: sizes)

  /// Units of size, so that `8 * MiB` is 8,388,608.
  private static let sizes: [(String, Value)] = [
    ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ("KiB", .int(1 << 10)), ("MiB", .int(1 << 20)), ("GiB", .int(1 << 30)), ("TiB", .int(1 << 40)),
  ]

  /// The bytes of a `bytes`, or of a string in UTF-8.
  static func octets(_ value: Value) -> [UInt8] {
    switch value {
    case .bytes(let bytes): bytes
    case .string(let text): Array(text.utf8)
    default: []
    }
  }
}
