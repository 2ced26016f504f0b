/// Plain scalars that YAML 1.1 and 1.2 read differently, or whose value is easily misread.
///
/// It applies where a value's type matters: in JSON bodies and where a number is expected. Elsewhere text stays text.
enum AmbiguousScalarRule {
  /// Words of YAML 1.1 for Booleans, which other tools still accept.
  static let oldTruths = ["yes": true, "on": true, "no": false, "off": false]

  /// How a plain scalar is read, where that may surprise; `replacement` where quotes keep the meaning.
  package static func reading(of scalar: YAMLScalar) -> (
    message: String, help: String, isText: Bool
  )? {
    guard scalar.style == .plain, scalar.tag == nil else { return nil }
    let text = scalar.text
    switch scalar.value {
    case .string:
      // Length and first letter rule out nearly every text.
      let bytes = text.utf8
      if bytes.count <= 3, let truth = oldTruths[text.lowercased()] {
        return (
          "'\(text)' is text in YAML 1.2, and \(truth) in YAML 1.1",
          "write '\(truth)', or quote the text", true
        )
      }
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      let mark = UInt8(ascii: "_")
      guard let first = bytes.first, digits.contains(first), bytes.last != mark,
        bytes.contains(mark), bytes.allSatisfy({ digits.contains($0) || $0 == mark })
      else { return nil }
      return (
        "'\(text)' is text in YAML 1.2, and a number in YAML 1.1",
        "write the number without '_', or quote the text", true
      )
    case .int(let number):
      let digits = text.drop { $0 == "-" || $0 == "+" }
      guard digits.count > 1, digits.first == "0", digits.allSatisfy(\.isNumber) else { return nil }
      return (
        "'\(text)' is the number \(number) in YAML 1.2, and octal in YAML 1.1",
        "write \(number) or 0o\(digits.drop { $0 == "0" }), or quote the text", false
      )
    case .bigInt(let digits) where UInt64(digits) == nil: return inexact(text, Double(digits) ?? 0)
    case .double(let number): return inexact(text, number)
    default: return nil
    }
  }

  /// A number that is sent in another form than the one that is written, as a version such as 1.10 would be.
  private static func inexact(
    _ text: String, _ number: Double
  ) -> (message: String, help: String, isText: Bool)? {
    let sent = Value.double(number).jsonText()
    let hasExponent = text.contains { $0 == "e" || $0 == "E" }
    let written = significant(text)
    if number.isFinite, written != significant(sent) {
      return (
        "'\(text)' has more digits than a number keeps, and is sent as \(sent)", "quote the text",
        true
      )
    }
    if !hasExponent, text.last == "0", text.contains("."), text != sent {
      return (
        "'\(text)' is sent as the number \(sent)", "write \(sent), or quote the text", true
      )
    }
    guard hasExponent, !text.contains(".") else { return nil }
    return (
      "'\(text)' is the number \(sent) in YAML 1.2",
      "write the number in full, or quote the text", false
    )
  }

  /// The digits before the exponent, without zeros at both ends.
  private static func significant(_ text: String) -> Substring {
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
    var rest = digits.drop { $0 == "0" }
    while rest.last == "0" { rest.removeLast() }
    return rest
  }
}

extension DocumentReader {
  func noteReading(of node: YAMLNode) {
    guard let scalar = node.scalar,
      let reading = AmbiguousScalarRule.reading(of: scalar)
    else { return }
    collector.report(
      .ambiguousScalar, reading.message, at: range(node), help: reading.help,
      fix: reading.isText
        ? Diagnostic.Fix(range: range(node), replacement: "\"\(scalar.text)\"") : nil)
  }
}
