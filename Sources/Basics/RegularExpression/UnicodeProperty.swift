/// A property that `\p{…}` names.
package enum UnicodeProperty: Sendable {
  /// One or several general categories, a bit each.
  case category(UInt32)
  case script([ClosedRange<UInt32>])
  case binary(Binary)

  /// The property named by the text in the braces, or `nil`.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts.count, parts[0]) {
    case (1, _):
      if let mask = Self.categories[text] {
        self = .category(mask)
      } else if let binary = Binary(rawValue: Binary.longNames[text] ?? text) {
        self = .binary(binary)
      } else {
        return nil
      }
    case (2, "General_Category"), (2, "gc"):
      guard let mask = Self.categories[parts[1]] else { return nil }
      self = .category(mask)
    case (2, "Script"), (2, "sc"):
      guard let ranges = ScriptTable.ranges(parts[1]) else { return nil }
      self = .script(ranges)
    default: return nil
    }
  }

  /// The property that a name has in RE2: a general category by its short name, or a script by its long one.
  package init?(re2 name: String) {
    if name == "Any" {
      self = .binary(.any)
    } else if name.utf8.count <= 2, name != "Cn", name != "LC", let mask = Self.categories[name] {
      // There the group of the others leaves out what is not assigned.
      self = .category(mask & ~Self.bit(.unassigned))
    } else if let ranges = ScriptTable.ranges(longName: name) {
      self = .script(ranges)
    } else {
      return nil
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .category(let mask): mask & Self.bit(scalar.properties.generalCategory) != 0
    case .script(let ranges): CodePointTable.contains(scalar.value, in: ranges)
    case .binary(let binary): binary.contains(scalar)
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

  /// Every name and alias of the general categories, with the bits of those it covers.
  private static let categories: [String: UInt32] = {
    var result: [String: UInt32] = [:]
    for (place, names) in singles.enumerated() {
      for name in names.split(separator: " ") { result[String(name)] = 1 << UInt32(place) }
    }
    for (names, members) in groups {
      let mask = members.split(separator: " ").reduce(UInt32(0)) { $0 | (result[String($1)] ?? 0) }
      for name in names.split(separator: " ") { result[String(name)] = mask }
    }
    return result
  }()

  /// In the same order as ``order``.
  private static let singles = [
    "Lu Uppercase_Letter", "Ll Lowercase_Letter", "Lt Titlecase_Letter", "Lm Modifier_Letter",
    "Lo Other_Letter", "Mn Nonspacing_Mark", "Mc Spacing_Mark", "Me Enclosing_Mark",
    "Nd Decimal_Number digit", "Nl Letter_Number", "No Other_Number",
    "Pc Connector_Punctuation", "Pd Dash_Punctuation", "Ps Open_Punctuation",
    "Pe Close_Punctuation", "Pi Initial_Punctuation", "Pf Final_Punctuation",
    "Po Other_Punctuation", "Sm Math_Symbol", "Sc Currency_Symbol", "Sk Modifier_Symbol",
    "So Other_Symbol", "Zs Space_Separator", "Zl Line_Separator", "Zp Paragraph_Separator",
    "Cc Control cntrl", "Cf Format", "Cs Surrogate", "Co Private_Use", "Cn Unassigned",
  ]

  private static let groups = [
    ("LC Cased_Letter", "Lu Ll Lt"), ("L Letter", "Lu Ll Lt Lm Lo"),
    ("M Mark Combining_Mark", "Mn Mc Me"), ("N Number", "Nd Nl No"),
    ("P Punctuation punct", "Pc Pd Ps Pe Pi Pf Po"), ("S Symbol", "Sm Sc Sk So"),
    ("Z Separator", "Zs Zl Zp"), ("C Other", "Cc Cf Cs Co Cn"),
  ]
}

extension UnicodeProperty {
  /// The binary properties, by their short or only name.
  package enum Binary: String, Sendable {
    case any = "Any"
    case ascii = "ASCII"
    case assigned = "Assigned"
    case asciiHexDigit = "AHex"
    case alphabetic = "Alpha"
    case bidiControl = "Bidi_C"
    case bidiMirrored = "Bidi_M"
    case caseIgnorable = "CI"
    case cased = "Cased"
    case changesWhenCaseFolded = "CWCF"
    case changesWhenCaseMapped = "CWCM"
    case changesWhenLowercased = "CWL"
    case changesWhenNFKCCaseFolded = "CWKCF"
    case changesWhenTitlecased = "CWT"
    case changesWhenUppercased = "CWU"
    case dash = "Dash"
    case defaultIgnorable = "DI"
    case deprecated = "Dep"
    case diacritic = "Dia"
    case emoji = "Emoji"
    case emojiModifier = "EMod"
    case emojiModifierBase = "EBase"
    case emojiPresentation = "EPres"
    case extender = "Ext"
    case graphemeBase = "Gr_Base"
    case graphemeExtend = "Gr_Ext"
    case hexDigit = "Hex"
    case idContinue = "IDC"
    case idStart = "IDS"
    case ideographic = "Ideo"
    case joinControl = "Join_C"
    case logicalOrderException = "LOE"
    case lowercase = "Lower"
    case math = "Math"
    case noncharacter = "NChar"
    case patternSyntax = "Pat_Syn"
    case patternWhitespace = "Pat_WS"
    case quotationMark = "QMark"
    case radical = "Radical"
    case sentenceTerminal = "STerm"
    case softDotted = "SD"
    case unifiedIdeograph = "UIdeo"
    case uppercase = "Upper"
    case variationSelector = "VS"
    case whitespace = "space"
    case xidContinue = "XIDC"
    case xidStart = "XIDS"

    static let longNames = [
      "ASCII_Hex_Digit": "AHex", "Alphabetic": "Alpha", "Bidi_Control": "Bidi_C",
      "Bidi_Mirrored": "Bidi_M", "Case_Ignorable": "CI", "Changes_When_Casefolded": "CWCF",
      "Changes_When_Casemapped": "CWCM", "Changes_When_Lowercased": "CWL",
      "Changes_When_NFKC_Casefolded": "CWKCF", "Changes_When_Titlecased": "CWT",
      "Changes_When_Uppercased": "CWU", "Default_Ignorable_Code_Point": "DI",
      "Deprecated": "Dep", "Diacritic": "Dia", "Emoji_Modifier": "EMod",
      "Emoji_Modifier_Base": "EBase", "Emoji_Presentation": "EPres", "Extender": "Ext",
      "Grapheme_Base": "Gr_Base", "Grapheme_Extend": "Gr_Ext", "Hex_Digit": "Hex",
      "ID_Continue": "IDC", "ID_Start": "IDS", "Ideographic": "Ideo", "Join_Control": "Join_C",
      "Logical_Order_Exception": "LOE", "Lowercase": "Lower",
      "Noncharacter_Code_Point": "NChar", "Pattern_Syntax": "Pat_Syn",
      "Pattern_White_Space": "Pat_WS", "Quotation_Mark": "QMark", "Sentence_Terminal": "STerm",
      "Soft_Dotted": "SD", "Unified_Ideograph": "UIdeo", "Uppercase": "Upper",
      "Variation_Selector": "VS", "White_Space": "space", "XID_Continue": "XIDC",
      "XID_Start": "XIDS",
    ]
  }
}

extension UnicodeProperty.Binary {
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .any: true
    case .ascii: scalar.isASCII
    case .assigned: scalar.properties.generalCategory != .unassigned
    default: scalar.properties[keyPath: keyPath]
    }
  }

  private var keyPath: KeyPath<Unicode.Scalar.Properties, Bool> {
    switch self {
    case .any, .ascii, .assigned: \.isDefaultIgnorableCodePoint
    case .asciiHexDigit: \.isASCIIHexDigit
    case .alphabetic: \.isAlphabetic
    case .bidiControl: \.isBidiControl
    case .bidiMirrored: \.isBidiMirrored
    case .caseIgnorable: \.isCaseIgnorable
    case .cased: \.isCased
    case .changesWhenCaseFolded: \.changesWhenCaseFolded
    case .changesWhenCaseMapped: \.changesWhenCaseMapped
    case .changesWhenLowercased: \.changesWhenLowercased
    case .changesWhenNFKCCaseFolded: \.changesWhenNFKCCaseFolded
    case .changesWhenTitlecased: \.changesWhenTitlecased
    case .changesWhenUppercased: \.changesWhenUppercased
    case .dash: \.isDash
    case .defaultIgnorable: \.isDefaultIgnorableCodePoint
    case .deprecated: \.isDeprecated
    case .diacritic: \.isDiacritic
    case .emoji: \.isEmoji
    case .emojiModifier: \.isEmojiModifier
    case .emojiModifierBase: \.isEmojiModifierBase
    case .emojiPresentation: \.isEmojiPresentation
    case .extender: \.isExtender
    case .graphemeBase: \.isGraphemeBase
    case .graphemeExtend: \.isGraphemeExtend
    case .hexDigit: \.isHexDigit
    case .idContinue: \.isIDContinue
    case .idStart: \.isIDStart
    case .ideographic: \.isIdeographic
    case .joinControl: \.isJoinControl
    case .logicalOrderException: \.isLogicalOrderException
    case .lowercase: \.isLowercase
    case .math: \.isMath
    case .noncharacter: \.isNoncharacterCodePoint
    case .patternSyntax: \.isPatternSyntax
    case .patternWhitespace: \.isPatternWhitespace
    case .quotationMark: \.isQuotationMark
    case .radical: \.isRadical
    case .sentenceTerminal: \.isSentenceTerminal
    case .softDotted: \.isSoftDotted
    case .unifiedIdeograph: \.isUnifiedIdeograph
    case .uppercase: \.isUppercase
    case .variationSelector: \.isVariationSelector
    case .whitespace: \.isWhitespace
    case .xidContinue: \.isXIDContinue
    case .xidStart: \.isXIDStart
    }
  }
}
