import Foundation
import TestSupport
import Testing

/// One case of the YAML test suite.
struct SuiteCase: Decodable, CustomTestStringConvertible {
  let id: String
  let name: String
  let yaml: String
  let events: String
  let json: String?
  let fail: Bool?

  var isValid: Bool { fail != true }
  var testDescription: String { "\(id): \(name)" }

  static let all: [SuiteCase] = {
    do {
      return try JSONDecoder().decode([SuiteCase].self, from: Conformance.data("yaml/cases.json"))
    } catch {
      // An empty suite fails the test that counts the cases.
      return []
    }
  }()
}
