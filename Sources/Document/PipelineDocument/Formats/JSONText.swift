/// Writes values as JSON (RFC 8259), in lines, maps in their own order.
package enum JSONText {
  package static func render(_ value: Value) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.indentedText
  }

  /// Whole numbers have no fraction here, and other values than those of a document do not occur.
  private static func write(_ value: Value, to writer: inout JSONWriter) {
    switch value {
    case .bool(let flag): writer.bool(nil, flag)
    case .int(let number): writer.int(nil, number)
    case .uint(let number): writer.int(nil, number)
    case .double(let number):
      if number == number.rounded() && abs(number) < 1e15 {
        writer.int(nil, Int64(number))
      } else {
        writer.number(text: "\(number)")
      }
    case .string(let string): writer.string(nil, string)
    case .list(let elements): writer.array { for element in elements { write(element, to: &$0) } }
    case .map(let map):
      writer.object {
        for entry in map {
          $0.key(entry.key.stringValue ?? "")
          write(entry.value, to: &$0)
        }
      }
    default: writer.null()
    }
  }
}
