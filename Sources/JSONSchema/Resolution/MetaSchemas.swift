import Basics

/// The meta-schemas of JSON Schema 2020-12, so that references to them need no network.
enum MetaSchemas {
  private static let parsed: [String: JSONNode] = texts.compactMapValues {
    (try? JSONReader().read($0))?.root
  }

  static func document(_ uri: String) -> JSONNode? {
    guard uri.utf8.starts(with: prefix.utf8) else { return nil }
    return parsed[uri]
  }

  static let prefix = "https://json-schema.org/draft/2020-12/"

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
  ]
}
