import Basics
import Foundation
import JSONSchema
import PipelineAuthoring
import PipelineDocument
import TestSupport
import Testing
import YAMLSyntax

/// The JSON Schema accepts everything that the reader accepts,
/// and refuses documents that an editor must mark.
struct SchemaValidationTests {
  private static let schema = Result {
    try Schema.compile(try JSONReader().read(SchemaGenerator.pipelineSchemaText()).root)
  }

  private func isValid(_ text: String, _ name: String) throws -> Bool {
    let schema = try Self.schema.get()
    return schema.validate(try SchemaDocument(bytes: Array(text.utf8), file: name).root).isValid
  }

  /// Broken only by shape: no names have to be resolved and no expressions read to see it.
  @Test(arguments: [
    "conflicting_keys", "empty_collection", "expression_expected", "invalid_choice",
    "invalid_duration", "invalid_method", "invalid_name", "invalid_size", "missing_key", "no_steps",
    "not_a_mapping", "out_of_range", "steps_not_a_list", "unknown_key", "unsupported_key",
    "wrong_type",
  ])
  func `the schema refuses documents of the wrong shape`(_ name: String) throws {
    let url = TestFiles.fixtures.appending(path: "err/\(name).yaml")
    let isValid = try isValid(String(contentsOf: url, encoding: .utf8), "\(name).yaml")
    #expect(!isValid)
  }

  @Test func `the schema accepts every valid document`() throws {
    for (name, text) in try TestFiles.valid() {
      let isValid = try isValid(text, name)
      #expect(isValid, "\(name)")
    }
  }
}
