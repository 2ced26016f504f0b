import Foundation

/// The members that a schema declares, and where a text has them.
///
/// It reads the schemas that are generated from declared shapes: objects, lists, maps,
/// and `oneOf` objects.
struct SchemaMembers {
  /// Members that the schema declares, such as `each[].item` or `concluded.verdict`.
  private(set) var declared: Set<String> = []
  /// Those of them that the texts had.
  private(set) var seen: Set<String> = []
  /// Where an object has a member: the keys and the indices that lead there.
  private(set) var places: [(name: String, path: [any Sendable])] = []
  private let schema: [String: Any]

  init(_ text: String) throws {
    schema = try JSON.object(text)
    declare(schema, "")
  }

  private mutating func declare(_ schema: [String: Any], _ prefix: String) {
    for (name, member) in schema["properties"] as? [String: [String: Any]] ?? [:] {
      declared.insert(prefix + name)
      declare(member, "\(prefix)\(name).")
    }
    if let items = schema["items"] as? [String: Any] { declare(items, "\(prefix)[].") }
    if let values = schema["additionalProperties"] as? [String: Any] {
      declare(values, "\(prefix)*.")
    }
    for branch in schema["oneOf"] as? [[String: Any]] ?? [] {
      declare(branch, "\(prefix)\(branch["title"] as? String ?? "").")
    }
  }

  /// Notes the members that a text has.
  mutating func look(at text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    places = []
    look(at: value, schema, "", [])
    // Of a schema that consists of references, the outermost members.
    if places.isEmpty, schema["oneOf"] != nil, let object = value as? [String: Any] {
      places = object.keys.map { ($0, [$0]) }
    }
  }

  private mutating func look(
    at value: Any, _ schema: [String: Any], _ prefix: String, _ path: [any Sendable]
  ) {
    if let elements = value as? [Any], let items = schema["items"] as? [String: Any] {
      for (index, element) in elements.enumerated() {
        look(at: element, items, "\(prefix)[].", path + [index])
      }
    }
    guard let object = value as? [String: Any] else { return }
    for branch in schema["oneOf"] as? [[String: Any]] ?? [] where fits(object, branch) {
      look(at: object, branch, "\(prefix)\(branch["title"] as? String ?? "").", path)
    }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let others = schema["additionalProperties"] as? [String: Any]
    for (name, member) in object {
      if let declared = properties[name] {
        seen.insert(prefix + name)
        places.append((prefix + name, path + [name]))
        look(at: member, declared, "\(prefix)\(name).", path + [name])
      } else if let others {
        look(at: member, others, "\(prefix)*.", path + [name])
      }
    }
  }

  private func fits(_ object: [String: Any], _ branch: [String: Any]) -> Bool {
    let properties = branch["properties"] as? [String: [String: Any]] ?? [:]
    if let event = properties["event"]?["const"] as? String {
      return object["event"] as? String == event
    }
    return object.keys.allSatisfy { properties[$0] != nil }
  }

  /// The text with the member at a place misspelled.
  static func misspelled(_ text: String, at path: [any Sendable]) throws -> String {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    let data = try JSONSerialization.data(withJSONObject: rename(value, path[...]))
    return String(decoding: data, as: UTF8.self)
  }

  private static func rename(_ value: Any, _ path: ArraySlice<any Sendable>) -> Any {
    guard let first = path.first else { return value }
    if var elements = value as? [Any], let index = first as? Int {
      elements[index] = rename(elements[index], path.dropFirst())
      return elements
    }
    guard var object = value as? [String: Any], let name = first as? String,
      let member = object[name]
    else { return value }
    object[name] = path.count == 1 ? nil : rename(member, path.dropFirst())
    if path.count == 1 { object[name + "x"] = member }
    return object
  }
}
