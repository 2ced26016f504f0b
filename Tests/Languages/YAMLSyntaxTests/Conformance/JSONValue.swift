import Foundation

@testable import YAMLSyntax

/// A JSON value, to compare a tree with what the suite says.
enum JSONValue: Hashable, Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The value of a tree; keys that are no strings become their text, as in the suite.
  init(_ node: YAMLNode) {
    switch node.resolved.content {
    case .scalar(let scalar): self = JSONValue(scalar.value)
    case .sequence(let elements): self = .array(elements.map { JSONValue($0) })
    case .mapping(let entries):
      let pairs = entries.map { ($0.key.scalar?.text ?? "", JSONValue($0.value)) }
      self = .object(Dictionary(pairs) { first, _ in first })
    case .alias: self = .null
    }
  }

  private init(_ value: CoreValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .number(Double(value))
    case .bigInt(let text): self = .number(Double(text) ?? .nan)
    case .double(let value): self = .number(value)
    case .string(let text): self = .string(text)
    }
  }

  /// Reads JSON texts that stand one after the other.
  static func documents(in text: String) throws -> [JSONValue] {
    var documents: [JSONValue] = []
    var pending = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      pending += line + "\n"
      // The suite begins each document on a line of its own, so a prefix of lines that is JSON is one.
      if let value = try? JSONDecoder().decode(JSONValue.self, from: Data(pending.utf8)) {
        documents.append(value)
        pending = ""
      }
    }
    guard pending.isEmpty else { throw UnreadableJSON(text: pending) }
    return documents
  }

  struct UnreadableJSON: Error {
    let text: String
  }
}

extension TreeBuilder {
  /// The trees of all documents of a stream.
  static func roots(of text: String) throws -> [YAMLNode] {
    let (source, _) = SourceText.scan(Array(text.utf8))
    var roots: [YAMLNode] = []
    var builder = TreeBuilder(source, limits: .standard)
    for event in YAMLEvents.parse(text).events {
      _ = try builder.receive(event)
      if case .documentEnd = event.kind {
        roots += builder.roots
        builder = TreeBuilder(source, limits: .standard)
      }
    }
    return roots
  }
}
