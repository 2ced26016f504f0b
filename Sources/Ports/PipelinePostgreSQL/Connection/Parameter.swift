struct Parameter {
  /// `nil` is SQL's null.
  let bytes: [UInt8]?

  static let null = Parameter(bytes: nil)
  static func bytes(_ bytes: [UInt8]?) -> Parameter { Parameter(bytes: bytes) }
  static func text(_ text: String?) -> Parameter { Parameter(bytes: text.map { Array($0.utf8) }) }
  static func integer(_ number: some BinaryInteger) -> Parameter {
    Parameter(bytes: bigEndian(Int64(number)))
  }
  static func bool(_ flag: Bool) -> Parameter { Parameter(bytes: [flag ? 1 : 0]) }
  static func integers(_ numbers: [Int64]) -> Parameter { array(20, numbers.map { bigEndian($0) }) }
  static func bools(_ flags: [Bool]) -> Parameter { array(16, flags.map { [$0 ? 1 : 0] }) }
  static func texts(_ texts: [String]) -> Parameter { array(25, texts.map { Array($0.utf8) }) }
  static func blobs(_ blobs: [[UInt8]?]) -> Parameter { array(17, blobs) }

  private static func array(_ type: Int32, _ elements: [[UInt8]?]) -> Parameter {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
    let dimensions: Int32 = elements.isEmpty ? 0 : 1
    for number in [dimensions, elements.contains { $0 == nil } ? 1 : 0, type] {
      bytes += bigEndian(number)
    }
    if !elements.isEmpty { bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1)) }
    for element in elements {
      bytes += bigEndian(Int32(element?.count ?? -1))
      if let element { bytes += element }
    }
    return Parameter(bytes: bytes)
  }

  static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
