import Basics

extension JSONWriter {
  static func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(nil, body)
    return writer.bytes
  }

  mutating func add(_ name: String, _ value: String?) {
    if let value { string(name, value) }
  }

  mutating func add(_ name: String, _ value: Int?) {
    if let value { int(name, value) }
  }
}
