import Basics
import Testing

@testable import YAMLSyntax

struct YAMLSuiteTests {
  @Test func `the suite is here and every listed deviation is one of its cases`() {
    let identifiers = Set(SuiteCase.all.map(\.id))
    #expect(identifiers.count == 306)
    for list in [KnownDeviations.rejected, KnownDeviations.misread, KnownDeviations.accepted] {
      #expect(identifiers.isSuperset(of: list.keys))
    }
  }

  @Test(arguments: SuiteCase.all.filter { !$0.isValid })
  func `an invalid text has an issue unless libyaml is known to accept it`(_ suiteCase: SuiteCase) {
    let isRejected = YAMLEvents.parse(suiteCase.yaml).issue != nil
    #expect(isRejected == (KnownDeviations.accepted[suiteCase.id] == nil))
  }

  @Test(arguments: SuiteCase.all.filter(\.isValid))
  func `a valid text gives the suite's events unless libyaml is known to fail`(
    _ suiteCase: SuiteCase
  ) {
    let parsed = YAMLEvents.parse(suiteCase.yaml)
    #expect((parsed.issue == nil) == (KnownDeviations.rejected[suiteCase.id] == nil))
    guard parsed.issue == nil else { return }
    let isRight = SuiteNotation.print(parsed.events) == suiteCase.events
    #expect(isRight == (KnownDeviations.misread[suiteCase.id] == nil))
  }

  @Test(
    arguments: SuiteCase.all.filter {
      $0.isValid && $0.json != nil && KnownDeviations.rejected[$0.id] == nil
        && KnownDeviations.misread[$0.id] == nil
    })
  func `a text that libyaml parses has the suite's JSON value`(_ suiteCase: SuiteCase) throws {
    let expected = try JSONValue.documents(in: #require(suiteCase.json))
    let roots = try TreeBuilder.roots(of: suiteCase.yaml)
    #expect(roots.map { JSONValue($0) } == expected)
  }

  @Test(arguments: SuiteCase.all)
  func `every place lies in the text and every parent encloses its children`(
    _ suiteCase: SuiteCase
  ) {
    let document = YAMLDocument.parse(suiteCase.yaml)
    for issue in document.issues {
      #expect(issue.range.end.offset <= suiteCase.yaml.utf8.count)
    }
    if let root = document.root { expectNesting(root, size: suiteCase.yaml.utf8.count) }
  }

  private func expectNesting(_ node: YAMLNode, size: Int) {
    #expect(node.range.start <= node.range.end && node.range.end.offset <= size)
    let children: [YAMLNode]
    switch node.content {
    case .scalar, .alias: return
    case .sequence(let elements): children = elements
    case .mapping(let entries): children = entries.flatMap { [$0.key, $0.value] }
    }
    for child in children {
      #expect(node.range.start <= child.range.start && child.range.end <= node.range.end)
      expectNesting(child, size: size)
    }
  }
}
