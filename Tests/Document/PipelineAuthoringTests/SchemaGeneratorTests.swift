import Basics
import Foundation
import JSONSchema
@testable import PipelineAuthoring
import PipelineDocument
import TestSupport
import Testing

struct SchemaGeneratorTests {
  @Test func `the schema on disk matches the tables of keys`() throws {
    let text = SchemaGenerator.pipelineSchemaText()
    if TestFiles.isSet("UPDATE_GENERATED") {
      try text.write(to: TestFiles.schema, atomically: true, encoding: .utf8)
    }
    let onDisk = try String(contentsOf: TestFiles.schema, encoding: .utf8)
    #expect(onDisk == text, "run the tests with UPDATE_GENERATED=1")
  }

  @Test func `the schema is JSON in which each reference has a target`() throws {
    let data = Data(SchemaGenerator.pipelineSchemaText().utf8)
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(root["$defs"] as? [String: Any])
    let text = String(decoding: data, as: UTF8.self)
    let references = text.matches(of: /"\$ref": "#\/\$defs\/([a-z_]+)"/).map {
      String($0.output.1)
    }
    #expect(references.count > 20)
    #expect(Set(references).subtracting(definitions.keys) == [])
  }

  /// The text that an editor shows over a key, and its proposals after it.
  @Test func `each key has a title, a description, and an example or a value to choose`() throws {
    let data = Data(SchemaGenerator.pipelineSchemaText().utf8)
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(root["$defs"] as? [String: [String: Any]])
    var constructs = definitions.filter { $0.value["properties"] != nil }
    constructs["pipeline"] = root
    #expect(constructs.count > 20)
    for (name, construct) in constructs {
      let keys = try #require(construct["properties"] as? [String: [String: Any]])
      for (key, schema) in keys {
        #expect(schema["title"] as? String == key, "\(name).\(key)")
        let description = schema["description"] as? String ?? ""
        #expect(description.count > 8 && description.hasSuffix("."), "\(name).\(key)")
        let offers = ["examples", "default", "enum"].filter { schema[$0] != nil }
        #expect(!offers.isEmpty, "\(name).\(key) has neither an example nor a default")
      }
    }
  }

  @Test func `each default and each example of the schema fits its key`() throws {
    let text = SchemaGenerator.pipelineSchemaText()
    let data = Data(text.utf8)
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(root["$defs"] as? [String: [String: Any]])
    // One schema with a property for each key: to compile the definitions once per key takes a minute.
    var keys: [String: [String: Any]] = [:]
    for (name, construct) in definitions.merging(["pipeline": root], uniquingKeysWith: { $1 }) {
      for (key, schema) in construct["properties"] as? [String: [String: Any]] ?? [:] {
        keys["\(name).\(key)"] = schema
      }
    }
    let compiled = try Schema.compile(
      try Self.node(["properties": keys, "$defs": definitions] as [String: Any]))
    var count = 0
    for (key, schema) in keys {
      var values = schema["examples"] as? [Any] ?? []
      if let value = schema["default"] { values.append(value) }
      for value in values {
        count += 1
        let findings = compiled.validate(try Self.node([key: value])).findings.map(\.message)
        #expect(findings == [], "\(key): \(value)")
      }
    }
    #expect(!compiled.validate(try Self.node(["request.timeout": [1]])).isValid)
    #expect(count > 60)
  }

  private static func node(_ value: Any) throws -> JSONNode {
    let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    return try JSONReader().read(Array(data)).root
  }
}
