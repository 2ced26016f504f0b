import CEL
import Foundation
import TestSupport
import Testing

/// The specification's own cases.
struct ConformanceTests {
  /// Cases that we do not pass, with the reason.
  ///
  /// Each must fail, or it does not belong here.
  static let omissions: [String: String] = [
    "parse/bytes_literals/triple_single_quoted_unescaped_punctuation":
      "it expects an octet '\\' that its expression does not contain"
  ]

  static func files() throws -> [String] {
    try ["standard", "extensions"].flatMap { folder in
      try Conformance.jsonFiles(in: "cel/\(folder)").map { "cel/\(folder)/\($0.lastPathComponent)" }
    }
  }

  @Test(arguments: try files())
  func `every case has the result of the specification`(_ path: String) throws {
    let cases = try ConformanceCase.all(in: path)
    #expect(!cases.isEmpty)
    var passed = 0
    for item in cases {
      let complaint = Self.complaint(about: item)
      if let reason = Self.omissions[item.id] {
        #expect(complaint != nil, "\(item.id) passes now; it is omitted because \(reason)")
      } else if let complaint {
        Testing.Issue.record("\(item.id): \(item.expression): \(complaint)")
      } else {
        passed += 1
      }
    }
    print("\(path): \(passed) of \(cases.count) cases pass")
  }

  @Test func `an omission names an existing case`() throws {
    let ids = Set(try Self.files().flatMap { try ConformanceCase.all(in: $0).map(\.id) })
    #expect(Self.omissions.keys.allSatisfy(ids.contains))
  }

  /// The problem with the result of a case; `nil` if it is as expected.
  private static func complaint(about item: ConformanceCase) -> String? {
    var environment = Environment.standard
    environment.container = item.container
    for (name, type) in item.declarations { environment.declare(name, as: type) }
    let compilation = environment.compile(item.expression, isChecked: item.isChecked)
    guard let expression = compilation.expression else {
      if case .error = item.expectation { return nil }
      return "does not compile: \(compilation.issues.map(\.message))"
    }
    if let type = item.deducedType, expression.type != type {
      return "has type \(expression.type), not \(type)"
    }
    if item.isCheckedOnly { return nil }
    do {
      let value = try expression.evaluate(item.bindings)
      switch item.expectation {
      case .value(let expected):
        return value == expected && value.description.count == expected.description.count
          ? nil : "gives \(value), not \(expected)"
      case .error: return "gives \(value), not an error"
      case .type: return nil
      }
    } catch {
      if case .error = item.expectation { return nil }
      return "fails: \(error.message)"
    }
  }
}
