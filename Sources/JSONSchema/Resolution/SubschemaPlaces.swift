import Basics

/// The keywords of 2020-12 that contain schemas; nothing else in a schema is one.
enum SubschemaPlaces {
  static let single: Set<String> = [
    "additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties", "contentSchema",
  ]

  static let list: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]

  static let map: Set<String> = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
  ]

  /// Calls `visit` with the pointer text from the schema object and the node of each subschema.
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
