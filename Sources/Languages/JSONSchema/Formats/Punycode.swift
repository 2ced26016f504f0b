/// The encoding of Unicode labels in ASCII (RFC 3492).
enum Punycode {
  private static let base: UInt32 = 36
  private static let minimum: UInt32 = 1
  private static let maximum: UInt32 = 26
  private static let initialBias: UInt32 = 72
  private static let initialValue: UInt32 = 128

  /// The decoded part after `xn--`, or `nil` if it is malformed.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt32]? {
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    var output: [UInt32] = []
    var rest = text
    if let mark = text.lastIndex(of: 0x2D) {
      output = text[..<mark].map(UInt32.init)
      rest = text[(mark + 1)...]
    }
    var value = initialValue
    var index: UInt32 = 0
    var bias = initialBias
    while !rest.isEmpty {
      let old = index
      guard let step = decodeStep(&rest, bias: bias) else { return nil }
      let (sum, overflow) = index.addingReportingOverflow(step)
      guard !overflow else { return nil }
      index = sum
      let count = UInt32(output.count) + 1
      bias = adapt(index - old, count: count, isFirst: old == 0)
      value += index / count
      guard value <= 0x10FFFF else { return nil }
      index %= count
      output.insert(value, at: Int(index))
      index += 1
    }
    return output
  }

  private static func decodeStep(_ rest: inout ArraySlice<UInt8>, bias: UInt32) -> UInt32? {
    var result: UInt32 = 0
    var weight: UInt32 = 1
    var place = base
    while true {
      guard let byte = rest.popFirst(), let digit = digit(byte) else { return nil }
      let (product, tooLarge) = digit.multipliedReportingOverflow(by: weight)
      let (sum, overflow) = result.addingReportingOverflow(product)
      guard !tooLarge, !overflow else { return nil }
      result = sum
      let threshold = threshold(place, bias)
      if digit < threshold { return result }
      let (next, isTooLarge) = weight.multipliedReportingOverflow(by: base - threshold)
      guard !isTooLarge else { return nil }
      weight = next
      place += base
    }
  }

  /// The part after `xn--` for a label, or `nil` if the label is too long to have one.
  static func encode(_ label: [UInt32]) -> [UInt8]? {
    guard label.count <= 256 else { return nil }
    var output = label.filter { $0 < 0x80 }.map { UInt8($0) }
    let basic = UInt32(output.count)
    if basic > 0 { output.append(0x2D) }
    var handled = basic
    var value = initialValue
    var delta: UInt32 = 0
    var bias = initialBias
    while handled < UInt32(label.count) {
      guard let next = label.filter({ $0 >= value }).min() else { return nil }
      delta += (next - value) * (handled + 1)
      value = next
      for scalar in label {
        if scalar < value { delta += 1 }
        guard scalar == value else { continue }
        appendStep(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      value += 1
    }
    return output
  }

  private static func appendStep(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
    var rest = delta
    var place = base
    while true {
      let threshold = threshold(place, bias)
      guard rest >= threshold else { break }
      output.append(letter(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      place += base
    }
    output.append(letter(rest))
  }

  private static func threshold(_ place: UInt32, _ bias: UInt32) -> UInt32 {
    place <= bias ? minimum : min(maximum, place - bias)
  }

  private static func adapt(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var steps: UInt32 = 0
    while rest > (base - minimum) * maximum / 2 {
      rest /= base - minimum
      steps += base
    }
    return steps + (base - minimum + 1) * rest / (rest + 38)
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30 + 26
    case 0x41...0x5A: UInt32(byte) - 0x41
    case 0x61...0x7A: UInt32(byte) - 0x61
    default: nil
    }
  }

  private static func letter(_ digit: UInt32) -> UInt8 {
    UInt8(digit < 26 ? digit + 0x61 : digit - 26 + 0x30)
  }
}
