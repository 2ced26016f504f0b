/// Internationalised host names (RFC 5890-5893); normalisation form C is not checked.
enum InternationalName {
  /// The dots of RFC 3490 §3.1, which users type.
  private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]

  static func isHostname(_ text: String) -> Bool {
    guard text.utf8.count <= 4 * 253 else { return false }
    let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { dots.contains($0) }
    var length = labels.count - 1
    var unicodeLabels: [[UInt32]] = []
    for label in labels {
      guard let (unicode, asciiLength) = checked(label.map(\.value)) else { return false }
      unicodeLabels.append(unicode)
      length += asciiLength
    }
    guard length <= 253 else { return false }
    // One right-to-left label makes the rule apply to all (RFC 5893 §1.4).
    return !unicodeLabels.contains(where: hasRightToLeft)
      || unicodeLabels.allSatisfy(satisfiesBidiRule)
  }

  /// Whether an ASCII label that starts with `xn--` encodes a valid label.
  static func isALabel(_ text: String) -> Bool {
    guard let (unicode, _) = checked(text.unicodeScalars.map(\.value)) else { return false }
    return !hasRightToLeft(unicode) || satisfiesBidiRule(unicode)
  }

  /// The label in Unicode and the length of its ASCII form, or `nil` when it is not valid.
  private static func checked(_ label: [UInt32]) -> (unicode: [UInt32], asciiLength: Int)? {
    guard label.allSatisfy({ $0 < 0x80 }) else {
      guard isULabel(label), let encoded = Punycode.encode(label), encoded.count <= 59
      else { return nil }
      return (label, encoded.count + 4)
    }
    let bytes = label.map { UInt8($0) }
    guard FormatRules.isLDHLabel(bytes[...]) else { return nil }
    guard bytes.count >= 4, bytes[2] == 0x2D, bytes[3] == 0x2D else { return (label, label.count) }
    guard bytes[0] | 0x20 == 0x78, bytes[1] | 0x20 == 0x6E,
      let decoded = Punycode.decode(bytes[4...]), decoded.contains(where: { $0 >= 0x80 }),
      isULabel(decoded), let encoded = Punycode.encode(decoded),
      encoded.elementsEqual(bytes[4...].map(lowercased))
    else { return nil }
    return (decoded, bytes.count)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// RFC 5891 §4.2.3.
  private static func isULabel(_ label: [UInt32]) -> Bool {
    guard let first = label.first.flatMap(Unicode.Scalar.init), label.last != 0x2D, label[0] != 0x2D
    else { return false }
    if label.count >= 4, label[2] == 0x2D, label[3] == 0x2D { return false }
    switch first.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return false
    default: break
    }
    return label.indices.allSatisfy { isAllowed(label, $0) }
  }

  // MARK: Code points (RFC 5892)

  private static func isAllowed(_ label: [UInt32], _ place: Int) -> Bool {
    let value = label[place]
    guard let scalar = Unicode.Scalar(value) else { return false }
    switch value {
    // The exceptions of §2.6.
    case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
    case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
    case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9, 0x200C, 0x200D:
      return isAllowedInContext(label, place)
    case 0x2D, 0x30...0x39, 0x61...0x7A: return true
    // Old Hangul Jamo (§2.9) and blocks to be ignored (§2.4).
    case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB, 0x20D0...0x20FF, 0x1D100...0x1D24F:
      return false
    default: break
    }
    let properties = scalar.properties
    // Unstable (§2.2) and ignorable (§2.3) code points.
    if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint
      || properties.isWhitespace
    {
      return false
    }
    switch properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter,
      .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  /// The contextual rules of appendix A.
  private static func isAllowedInContext(_ label: [UInt32], _ place: Int) -> Bool {
    let before = place > 0 ? label[place - 1] : nil
    let after = place + 1 < label.count ? label[place + 1] : nil
    switch label[place] {
    case 0x200C: return isVirama(before) || joins(label, place)
    case 0x200D: return isVirama(before)
    case 0xB7: return before == 0x6C && after == 0x6C
    case 0x375: return after.map { CodePointTable.contains($0, in: greek) } ?? false
    case 0x5F3, 0x5F4: return before.map { CodePointTable.contains($0, in: hebrew) } ?? false
    case 0x30FB:
      return label.contains { value in
        kanaOrHan.contains { CodePointTable.contains(value, in: $0) }
      }
    case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0) }
    default: return !label.contains { (0x660...0x669).contains($0) }
    }
  }

  private static let greek = ScriptTable.ranges("Greek") ?? []
  private static let hebrew = ScriptTable.ranges("Hebrew") ?? []
  private static let kanaOrHan = ["Hiragana", "Katakana", "Han"].compactMap {
    ScriptTable.ranges($0)
  }

  private static func isVirama(_ value: UInt32?) -> Bool {
    value.flatMap(Unicode.Scalar.init)?.properties.canonicalCombiningClass == .virama
  }

  /// Whether the letters on both sides join, transparent marks apart (appendix A.1).
  private static func joins(_ label: [UInt32], _ place: Int) -> Bool {
    let before = label[..<place].last { !isTransparent($0) }
    let after = label[(place + 1)...].first { !isTransparent($0) }
    return joiningType(before).map { $0 == "L" || $0 == "D" } ?? false
      && joiningType(after).map { $0 == "R" || $0 == "D" } ?? false
  }

  private static func joiningType(_ value: UInt32?) -> String? {
    value.flatMap { InternationalTables.name(of: $0, in: InternationalTables.joining) }
  }

  private static func isTransparent(_ value: UInt32) -> Bool {
    guard value != 0x200C, value != 0x200D, let scalar = Unicode.Scalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }

  // MARK: Direction (RFC 5893)

  private static func bidiClass(_ value: UInt32) -> String {
    if let name = InternationalTables.name(of: value, in: InternationalTables.bidirectional) {
      return name
    }
    switch Unicode.Scalar(value)?.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return "NSM"
    default: return "L"
    }
  }

  private static func hasRightToLeft(_ label: [UInt32]) -> Bool {
    // Below the Hebrew block everything runs from left to right.
    label.contains { $0 >= 0x590 && ["R", "AL", "AN"].contains(bidiClass($0)) }
  }

  /// The six conditions of §2.
  private static func satisfiesBidiRule(_ label: [UInt32]) -> Bool {
    let classes = label.map(bidiClass)
    guard let first = classes.first, let last = classes.last(where: { $0 != "NSM" })
    else { return false }
    let present = Set(classes)
    let neutral: Set<String> = ["EN", "ES", "CS", "ET", "ON", "BN", "NSM"]
    switch first {
    case "R", "AL":
      return present.isSubset(of: neutral.union(["R", "AL", "AN"]))
        && ["R", "AL", "EN", "AN"].contains(last)
        && !(present.contains("EN") && present.contains("AN"))
    case "L": return present.isSubset(of: neutral.union(["L"])) && ["L", "EN"].contains(last)
    default: return false
    }
  }
}
