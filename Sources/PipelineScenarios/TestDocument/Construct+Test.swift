package import PipelineDocument

extension Construct.Name {
  package static let test: Self = .init("test") { Grammar.test }
  package static let testCase: Self = .init("test_case") { Grammar.testCase }
  static let sourceFile: Self = .init("source_file") { Grammar.sourceFile }
  static let reply: Self = .init("reply") { Grammar.reply }
  package static let expectation: Self = .init("expectation") { Grammar.expectation }
  package static let itemExpectation: Self = .init("item_expectation") { Grammar.itemExpectation }
  package static let requestExpectation: Self = .init("request_expectation") {
    Grammar.requestExpectation
  }
  static let timeBounds: Self = .init("time_bounds") { Grammar.timeBounds }
  static let sizeBounds: Self = .init("size_bounds") { Grammar.sizeBounds }

  /// Constructs of `*.test.yaml` files.
  package static let ofTests: [Self] = [
    .test, .testCase, .sourceFile, .reply, .expectation, .itemExpectation, .requestExpectation,
    .timeBounds, .sizeBounds,
  ]
}
