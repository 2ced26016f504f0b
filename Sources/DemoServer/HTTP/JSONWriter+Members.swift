import Basics

extension JSONWriter {
  /// One object with the members that `body` adds.
  static func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(nil, body)
    return writer.bytes
  }

  /// Adds a member unless `value` is nil.
  mutating func add(_ name: String, _ value: String?) {
    if let value { string(name, value) }
  }

  /// Adds a member unless `value` is nil.
  mutating func add(_ name: String, _ value: Int?) {
    if let value { int(name, value) }
  }
}
