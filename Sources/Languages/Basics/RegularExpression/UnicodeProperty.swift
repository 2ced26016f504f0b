/// A property that `\p{…}` names.
package enum UnicodeProperty: Sendable {
  /// One or several general categories, a bit each.
  case category(UInt32)
  /// The code points of a script, or any others.
  case ranges([ClosedRange<UInt32>])
  case binary(Flag)

  package typealias Flag = any KeyPath<Unicode.Scalar.Properties, Bool> & Sendable

  /// The property named by the text in the braces, or `nil`.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, _):
      if let mask = Self.categories[text] {
        self = .category(mask)
      } else if let flag = Self.flags[text] {
        self = .binary(flag)
      } else {
        switch text {
        case "Any": self = .ranges([0...0x10FFFF])
        case "ASCII": self = .ranges([0...0x7F])
        case "Assigned": self = .category(~Self.bit(.unassigned))
        default: return nil
        }
      }
    case (2, "General_Category"), (2, "gc"):
      guard let mask = Self.categories[parts[1]] else { return nil }
      self = .category(mask)
    case (2, "Script"), (2, "sc"):
      guard let ranges = ScriptTable.ranges(parts[1]) else { return nil }
      self = .ranges(ranges)
    default: return nil
    }
  }

  /// The property that a name has in RE2: a general category by its short name, or a script by its long one.
  package init?(re2 name: String) {
    if name == "Any" {
      self = .ranges([0...0x10FFFF])
    } else if name.utf8.count <= 2, name != "Cn", name != "LC", let mask = Self.categories[name] {
      // There the group of the others leaves out unassigned scalars.
      self = .category(mask & ~Self.bit(.unassigned))
    } else if let ranges = ScriptTable.ranges(longName: name) {
      self = .ranges(ranges)
    } else {
      return nil
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .category(let mask): mask & Self.bit(scalar.properties.generalCategory) != 0
    case .ranges(let ranges): CodePointTable.contains(scalar.value, in: ranges)
    case .binary(let flag): scalar.properties[keyPath: flag]
    }
  }

  static func bit(_ category: Unicode.GeneralCategory) -> UInt32 {
    1 << UInt32(order.firstIndex(of: category) ?? 31)
  }

  private static let order: [Unicode.GeneralCategory] = [
    .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
    .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
    .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
    .modifierSymbol, .otherSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator,
    .control, .format, .surrogate, .privateUse, .unassigned,
  ]

  /// The names of categories, one a line in the same order as ``order``, then those of groups of them.
  private static let categories: [String: UInt32] = {
    var result: [String: UInt32] = [:]
    let lines = String(decoding: PackageResources.categories_txt, as: UTF8.self).split(
      separator: "\n")
    for (place, line) in lines.enumerated() {
      let parts = line.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
      let mask =
        parts.count == 1 ? 1 << UInt32(place) : parts[1].reduce(0) { $0 | (result[$1] ?? 0) }
      for name in parts[0] { result[name] = mask }
    }
    return result
  }()

  private static let flags: [String: Flag] = {
    var result: [String: Flag] = [:]
    for (names, flag) in flagNames {
      for name in names.split(separator: " ") { result[String(name)] = flag }
    }
    return result
  }()

  private static let flagNames: [(names: String, flag: Flag)] = [
    ("AHex ASCII_Hex_Digit", \.isASCIIHexDigit), ("Alpha Alphabetic", \.isAlphabetic),
    ("Bidi_C Bidi_Control", \.isBidiControl), ("Bidi_M Bidi_Mirrored", \.isBidiMirrored),
    ("CI Case_Ignorable", \.isCaseIgnorable), ("Cased", \.isCased),
    ("CWCF Changes_When_Casefolded", \.changesWhenCaseFolded),
    ("CWCM Changes_When_Casemapped", \.changesWhenCaseMapped),
    ("CWL Changes_When_Lowercased", \.changesWhenLowercased),
    ("CWKCF Changes_When_NFKC_Casefolded", \.changesWhenNFKCCaseFolded),
    ("CWT Changes_When_Titlecased", \.changesWhenTitlecased),
    ("CWU Changes_When_Uppercased", \.changesWhenUppercased), ("Dash", \.isDash),
    ("DI Default_Ignorable_Code_Point", \.isDefaultIgnorableCodePoint),
    ("Dep Deprecated", \.isDeprecated), ("Dia Diacritic", \.isDiacritic), ("Emoji", \.isEmoji),
    ("EMod Emoji_Modifier", \.isEmojiModifier),
    ("EBase Emoji_Modifier_Base", \.isEmojiModifierBase),
    ("EPres Emoji_Presentation", \.isEmojiPresentation), ("Ext Extender", \.isExtender),
    ("Gr_Base Grapheme_Base", \.isGraphemeBase), ("Gr_Ext Grapheme_Extend", \.isGraphemeExtend),
    ("Hex Hex_Digit", \.isHexDigit), ("IDC ID_Continue", \.isIDContinue),
    ("IDS ID_Start", \.isIDStart), ("Ideo Ideographic", \.isIdeographic),
    ("Join_C Join_Control", \.isJoinControl),
    ("LOE Logical_Order_Exception", \.isLogicalOrderException), ("Lower Lowercase", \.isLowercase),
    ("Math", \.isMath), ("NChar Noncharacter_Code_Point", \.isNoncharacterCodePoint),
    ("Pat_Syn Pattern_Syntax", \.isPatternSyntax),
    ("Pat_WS Pattern_White_Space", \.isPatternWhitespace),
    ("QMark Quotation_Mark", \.isQuotationMark), ("Radical", \.isRadical),
    ("STerm Sentence_Terminal", \.isSentenceTerminal), ("SD Soft_Dotted", \.isSoftDotted),
    ("UIdeo Unified_Ideograph", \.isUnifiedIdeograph), ("Upper Uppercase", \.isUppercase),
    ("VS Variation_Selector", \.isVariationSelector), ("space White_Space", \.isWhitespace),
    ("XIDC XID_Continue", \.isXIDContinue), ("XIDS XID_Start", \.isXIDStart),
  ]
}
