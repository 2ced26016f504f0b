import ArgumentParser

/// Parses option values in the forms that the language uses for them.
enum Arguments {
  /// A duration such as `500ms`, `30s` or `1h30m`.
  static func duration(_ text: String, for option: String) throws -> Duration {
    guard case .duration(let duration) = try value(text, .duration, for: option) else {
      throw ValidationError("\(option): expected a duration, such as 30s or 1h30m.")
    }
    return duration
  }

  /// A duration of at least a second.
  static func interval(_ text: String, for option: String) throws -> Duration {
    let interval = try duration(text, for: option)
    guard interval >= .seconds(1) else { throw ValidationError("\(option) must be at least 1s.") }
    return interval
  }

  /// A number of bytes, such as `64 KiB`.
  static func size(_ text: String, for option: String) throws -> Int64 {
    guard case .int(let bytes) = try value(text, .size, for: option) else {
      throw ValidationError("\(option): expected a size, such as 64 KiB.")
    }
    return bytes
  }

  private static func value(
    _ text: String, _ kind: InputDeclaration.Kind, for option: String
  ) throws -> Value {
    do { return try InputValues.parse(text, as: kind) } catch {
      throw ValidationError("\(option): \(error.message).")
    }
  }
}
