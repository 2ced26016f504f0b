import Basics

/// The meta-schemas of JSON Schema 2020-12, facts of the specification (core appendix, validation
/// appendix), so that references to them need no network.
enum MetaSchemas {
  /// The parsed documents; each is parsed on first use.
  private static let parsed: [String: JSONNode] = texts.compactMapValues {
    (try? JSONReader().read($0))?.root
  }

  /// The meta-schema with this URI.
  static func document(_ uri: String) -> JSONNode? {
    guard uri.utf8.starts(with: prefix.utf8) else { return nil }
    return parsed[uri]
  }

  static let prefix = "https://json-schema.org/draft/2020-12/"

  private static let texts: [String: String] = [
    prefix + "schema": schema, prefix + "meta/core": core,
    prefix + "meta/applicator": applicator, prefix + "meta/unevaluated": unevaluated,
    prefix + "meta/validation": validation, prefix + "meta/meta-data": metaData,
    prefix + "meta/format-annotation": formatAnnotation,
    prefix + "meta/format-assertion": formatAssertion, prefix + "meta/content": content,
  ]
}
