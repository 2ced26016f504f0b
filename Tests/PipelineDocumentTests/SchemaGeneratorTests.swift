import Foundation
import PipelineDocument
import Testing

struct SchemaGeneratorTests {
  @Test func `the schema on disk is what the tables of keys give`() throws {
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
}
