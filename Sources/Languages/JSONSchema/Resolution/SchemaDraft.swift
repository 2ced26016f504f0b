/// An older draft of JSON Schema, whose documents are converted to 2020-12 when they are loaded.
///
/// The conversion keeps the ranges of all values and the pointers of all schemas, except for those of a list under `items`,
/// which 2020-12 calls `prefixItems`.
enum SchemaDraft: Int, Comparable {
  case draft4 = 4
  case draft6 = 6
  case draft7 = 7
  case draft2019 = 8

  static func < (left: SchemaDraft, right: SchemaDraft) -> Bool { left.rawValue < right.rawValue }

  /// The draft of a meta-schema; `nil` if it is not an older one.
  init?(metaSchema uri: String) {
    let name = uri.drop { $0 != ":" }.dropFirst("://json-schema.org/".count)
    guard uri.hasPrefix("http://json-schema.org/") || uri.hasPrefix("https://json-schema.org/")
    else { return nil }
    switch name.prefix(while: { $0 != "#" }) {
    case "draft-04/schema": self = .draft4
    case "draft-06/schema": self = .draft6
    case "draft-07/schema": self = .draft7
    case "draft/2019-09/schema": self = .draft2019
    default: return nil
    }
  }

  /// The draft of a document, or of a resource inside one;
  /// `inherited` if it does not name a meta-schema.
  static func of(_ node: JSONNode, inherited: SchemaDraft?) -> SchemaDraft? {
    guard let written = node["$schema"]?.string else { return inherited }
    return SchemaDraft(metaSchema: written)
  }

  /// Keywords that a draft does not have, with the first one that does; in older documents, they have no effect.
  fileprivate static let beginnings: [String: SchemaDraft?] = [
    "const": .draft6, "contains": .draft6, "propertyNames": .draft6, "if": .draft7,
    "then": .draft7, "else": .draft7, "$anchor": .draft2019, "dependentSchemas": .draft2019,
    "dependentRequired": .draft2019, "minContains": .draft2019, "maxContains": .draft2019,
    "unevaluatedItems": .draft2019, "unevaluatedProperties": .draft2019, "prefixItems": nil,
    "$dynamicRef": nil, "$dynamicAnchor": nil,
  ]

  fileprivate static let anchor = "recursive-anchor"
}

/// Converts the schemas of one document to 2020-12.
struct DraftConverter {
  /// A place whose meaning 2020-12 cannot express, and why.
  typealias Problem = (message: String, pointer: String, range: SourceRange?)

  private(set) var problems: [Problem] = []

  /// The same schema for 2020-12; `isRecursive` if the resource around it has `$recursiveAnchor`.
  mutating func convert(
    _ node: JSONNode, from outer: SchemaDraft?, at pointer: String = "", isRecursive: Bool = false
  ) -> JSONNode {
    let draft = SchemaDraft.of(node, inherited: outer)
    guard let members = node.members else { return node }
    var isRecursive = isRecursive
    if pointer.isEmpty || node["$id"] != nil {
      isRecursive = node["$recursiveAnchor"]?.bool == true
    }
    var result: [JSONNode.Member] = []
    let isReference = draft.map { $0 <= .draft7 } == true && node["$ref"]?.string != nil
    for member in members {
      var member = member
      member.value = convertInside(member, draft, at: pointer, isRecursive)
      guard let draft else {
        result.append(member)
        continue
      }
      guard isKept(member, of: node, draft, isReference, isRoot: pointer.isEmpty) else { continue }
      rename(&member, of: node, draft, at: pointer, isRecursive)
      result.append(member)
    }
    return JSONNode(.object(result), range: node.range)
  }

  /// A member's value with the schemas in it converted.
  private mutating func convertInside(
    _ member: JSONNode.Member, _ draft: SchemaDraft?, at pointer: String, _ isRecursive: Bool
  ) -> JSONNode {
    let place = pointer + "/" + JSONPointer.escape(member.key)
    if member.value.items != nil, SubschemaPlaces.list.contains(member.key) || member.key == "items"
    {
      let list = (member.value.items ?? []).enumerated().map { index, item in
        convert(item, from: draft, at: "\(place)/\(index)", isRecursive: isRecursive)
      }
      return JSONNode(.array(list), range: member.value.range)
    }
    if SubschemaPlaces.single.contains(member.key) || member.key == "additionalItems" {
      return convert(member.value, from: draft, at: place, isRecursive: isRecursive)
    }
    guard SubschemaPlaces.map.contains(member.key), let entries = member.value.members
    else { return member.value }
    let converted = entries.map { entry in
      var entry = entry
      entry.value = convert(
        entry.value, from: draft, at: place + "/" + JSONPointer.escape(entry.key),
        isRecursive: isRecursive)
      return entry
    }
    return JSONNode(.object(converted), range: member.value.range)
  }

  /// Whether a keyword has an effect in its draft.
  private func isKept(
    _ member: JSONNode.Member, of node: JSONNode, _ draft: SchemaDraft, _ isReference: Bool,
    isRoot: Bool
  ) -> Bool {
    // Up to draft 7, a reference replaces its whole schema (core §8.3), in which others may still be named by pointers.
    if isReference {
      let kept: Set = ["$ref", "$schema", "definitions", "$defs"]
      return kept.contains(member.key) || isRoot && ["$id", "id"].contains(member.key)
    }
    if let beginning = SchemaDraft.beginnings[member.key] {
      return beginning.map { draft >= $0 } ?? false
    }
    switch member.key {
    case "additionalItems": return node["items"]?.items != nil
    case "exclusiveMaximum", "exclusiveMinimum":
      let bound = member.key == "exclusiveMaximum" ? "maximum" : "minimum"
      return draft > .draft4 || member.value.bool == true && node[bound] != nil
    case "maximum": return draft > .draft4 || node["exclusiveMaximum"]?.bool != true
    case "minimum": return draft > .draft4 || node["exclusiveMinimum"]?.bool != true
    default: return true
    }
  }

  /// Sets a keyword's name and value to those of 2020-12.
  private mutating func rename(
    _ member: inout JSONNode.Member, of node: JSONNode, _ draft: SchemaDraft, at pointer: String,
    _ isRecursive: Bool
  ) {
    func text(_ value: String) -> JSONNode { JSONNode(.string(value), range: member.value.range) }
    switch (member.key, member.value.value) {
    case ("$schema", _): member.value = text(Dialect.standardURI)
    case ("id", .string(let id)) where draft == .draft4,
      ("$id", .string(let id)) where draft <= .draft7:
      member.key = id.hasPrefix("#") ? "$anchor" : "$id"
      // An empty fragment names the document itself.
      member.value = text(
        id.hasPrefix("#") ? String(id.dropFirst()) : String(id.prefix { $0 != "#" }))
    case ("items", .array): member.key = "prefixItems"
    case ("additionalItems", _): member.key = "items"
    case ("exclusiveMaximum", .bool): member.value = node["maximum"] ?? member.value
    case ("exclusiveMinimum", .bool): member.value = node["minimum"] ?? member.value
    case ("$recursiveAnchor", .bool(true)) where pointer.isEmpty || node["$id"] != nil:
      (member.key, member.value) = ("$dynamicAnchor", text(SchemaDraft.anchor))
    case ("$recursiveRef", _):
      member.key = isRecursive ? "$dynamicRef" : "$ref"
      if isRecursive { member.value = text("#" + SchemaDraft.anchor) }
    case ("unevaluatedItems", _) where draft == .draft2019 && node["contains"] != nil:
      problems.append(
        (
          "'unevaluatedItems' next to 'contains' means something else in 2019-09 than in 2020-12",
          pointer + "/unevaluatedItems", member.value.range
        ))
    default: break
    }
  }
}
