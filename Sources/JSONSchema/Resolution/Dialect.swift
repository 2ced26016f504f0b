import Basics

/// The vocabularies of 2020-12 that a meta-schema switches on (core §8.1.2).
struct Dialect: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let core = Dialect(rawValue: 1 << 0)
  static let applicator = Dialect(rawValue: 1 << 1)
  static let unevaluated = Dialect(rawValue: 1 << 2)
  static let validation = Dialect(rawValue: 1 << 3)
  static let metaData = Dialect(rawValue: 1 << 4)
  static let formatAnnotation = Dialect(rawValue: 1 << 5)
  static let formatAssertion = Dialect(rawValue: 1 << 6)
  static let content = Dialect(rawValue: 1 << 7)

  static let standard: Dialect = [
    .core, .applicator, .unevaluated, .validation, .metaData, .formatAnnotation, .content,
  ]

  static let standardURI = "https://json-schema.org/draft/2020-12/schema"

  private static let prefix = "https://json-schema.org/draft/2020-12/vocab/"

  private static let vocabularies: [String: Dialect] = [
    prefix + "core": .core, prefix + "applicator": .applicator,
    prefix + "unevaluated": .unevaluated, prefix + "validation": .validation,
    prefix + "meta-data": .metaData, prefix + "format-annotation": .formatAnnotation,
    prefix + "format-assertion": .formatAssertion, prefix + "content": .content,
  ]

  /// The dialect described by a `$vocabulary` object, and its unknown required vocabularies.
  static func reading(_ vocabulary: JSONNode?) -> (dialect: Dialect, unknown: [String]) {
    guard let members = vocabulary?.members else { return (.standard, []) }
    var dialect: Dialect = .core
    var unknown: [String] = []
    for member in members {
      if let known = vocabularies[member.key] {
        dialect.insert(known)
      } else if member.value.bool == true {
        unknown.append(member.key)
      }
    }
    return (dialect, unknown)
  }
}
