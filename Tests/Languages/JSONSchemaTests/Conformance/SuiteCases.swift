import Basics
import Foundation
import JSONSchema
import TestSupport

/// One case of the official suite.
struct SuiteCase {
  let file: String
  let group: String
  let name: String
  let schema: JSONNode
  let instance: JSONNode
  let isValid: Bool

  var id: String { "\(file) | \(group) | \(name)" }
}

/// A case that is not passed, and why.
struct Omission {
  let id: String
  let reason: String
}

enum Suite {
  private static let root = "json-schema-2020-12"

  /// The documents that the suite expects under `http://localhost:1234/`.
  static let remotes: [String: JSONNode] = {
    let folder = Conformance.folder.appending(path: root + "/remotes")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var documents: [String: JSONNode] = [:]
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "json", let data = try? Data(contentsOf: file),
        let document = try? JSONReader().read([UInt8](data))
      else { continue }
      let path = file.path.dropFirst(folder.path.count)
      documents["http://localhost:1234" + path] = document.root
    }
    return documents
  }()

  static func cases(in folder: String) throws -> [SuiteCase] {
    try Conformance.jsonFiles(in: "\(root)/tests/\(folder)").flatMap { file in
      let text = [UInt8](try Data(contentsOf: file))
      let groups = try JSONReader().read(text).root.items ?? []
      return groups.flatMap { group in
        (group["tests"]?.items ?? []).compactMap { test -> SuiteCase? in
          guard let schema = group["schema"], let instance = test["data"],
            let isValid = test["valid"]?.bool, let name = test["description"]?.string,
            let groupName = group["description"]?.string
          else { return nil }
          return SuiteCase(
            file: file.lastPathComponent, group: groupName, name: name, schema: schema,
            instance: instance, isValid: isValid)
        }
      }
    }
  }

  /// Why the case is not passed, or `nil` when it is.
  static func complaint(_ test: SuiteCase, assertsFormat: Bool) -> String? {
    do {
      let schema = try Schema.compile(
        test.schema, documents: remotes, options: Schema.Options(assertsFormat: assertsFormat))
      let result = schema.validate(test.instance)
      if result.isValid == test.isValid { return nil }
      return "expected \(test.isValid), found \(result.findings)"
    } catch {
      return "the schema does not compile: \(error)"
    }
  }
}
