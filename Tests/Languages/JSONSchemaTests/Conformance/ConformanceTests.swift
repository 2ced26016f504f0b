import JSONSchema
import Testing

struct ConformanceTests {
  /// Cases that are not passed, each with its reason; empty for the required suite.
  private static let omissions: [Omission] = []

  @Test(arguments: [
    (folder: "", cases: 1039, assertsFormat: false),
    (folder: "optional", cases: 140, assertsFormat: false),
    (folder: "optional/format", cases: 764, assertsFormat: true),
  ])
  func `every case of the official suite passes or is a named omission`(
    _ suite: (folder: String, cases: Int, assertsFormat: Bool)
  ) throws {
    let cases = try Suite.cases(in: suite.folder)
    var passed = 0
    var omitted = 0
    for test in cases {
      let complaint = Suite.complaint(test, assertsFormat: suite.assertsFormat)
      let isOmission = Self.omissions.contains { $0.id == test.id }
      if complaint == nil { passed += 1 }
      if isOmission { omitted += 1 }
      if let complaint, !isOmission { Issue.record("\(test.id): \(complaint)") }
      if complaint == nil, isOmission {
        Issue.record("\(test.id) passes; take it off the list of omissions")
      }
    }
    let name = suite.folder.isEmpty ? "required" : suite.folder
    print("JSON Schema 2020-12 \(name): \(passed) of \(cases.count) pass, \(omitted) omitted")
    #expect(cases.count == suite.cases)
  }
}
