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

/// The keywords of 2020-12 that contain schemas; nothing else in a schema is a schema.
enum SubschemaPlaces {
  static let single: Set<String> = [
    "additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties", "contentSchema",
  ]

  static let list: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]

  static let map: Set<String> = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
  ]

  static func forEach(in members: [JSONNode.Member], _ visit: (String, JSONNode) -> Void) {
    for member in members {
      if single.contains(member.key) {
        visit("/" + member.key, member.value)
      } else if list.contains(member.key), let items = member.value.items {
        for (place, item) in items.enumerated() { visit("/\(member.key)/\(place)", item) }
      } else if map.contains(member.key), let inner = member.value.members {
        for entry in inner { visit("/\(member.key)/" + JSONPointer.escape(entry.key), entry.value) }
      }
    }
  }
}

/// The meta-schemas of JSON Schema 2020-12 and of drafts 4, 6 and 7, so that references to them need no network.
enum MetaSchemas {
  private static let parsed: [String: JSONNode] = texts.compactMapValues {
    (try? JSONReader().read($0))?.root
  }

  static func document(_ uri: String) -> JSONNode? {
    guard [prefix, older].contains(where: { uri.utf8.starts(with: $0.utf8) }) else { return nil }
    return parsed[uri]
  }

  static let prefix = "https://json-schema.org/draft/2020-12/"
  private static let older = "http://json-schema.org/draft-0"

  private static let texts: [String: [UInt8]] = [
    prefix + "schema": PackageResources.schema_json,
    prefix + "meta/core": PackageResources.core_json,
    prefix + "meta/applicator": PackageResources.applicator_json,
    prefix + "meta/unevaluated": PackageResources.unevaluated_json,
    prefix + "meta/validation": PackageResources.validation_json,
    prefix + "meta/meta-data": PackageResources.meta_data_json,
    prefix + "meta/format-annotation": PackageResources.format_annotation_json,
    prefix + "meta/format-assertion": PackageResources.format_assertion_json,
    prefix + "meta/content": PackageResources.content_json,
    older + "4/schema": PackageResources.draft_04_json,
    older + "6/schema": PackageResources.draft_06_json,
    older + "7/schema": PackageResources.draft_07_json,
  ]
}

extension URIReference {
  /// This reference without its fragment: the key of a document or resource.
  var withoutFragment: URIReference {
    var copy = self
    copy.scheme = scheme.map { Substring($0.lowercased()) }
    copy.fragment = nil
    return copy
  }

  /// The percent-decoded fragment, or `nil` if it is not UTF-8.
  var decodedFragment: String? {
    guard let fragment else { return "" }
    return PercentEncoding.decode(fragment.utf8, keepingMalformed: true)
      .flatMap { String(validating: $0, as: UTF8.self) }
  }
}
