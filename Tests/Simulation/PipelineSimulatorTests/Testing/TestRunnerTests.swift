import Basics
import CEL
import PipelineDocument
import PipelineSimulator
import Testing

/// Cases that fail, and their reports.
struct TestRunnerTests {
  private func result(_ lines: String) throws -> TestResult {
    let (document, diagnostics) = TestDocumentTests.load(TestDocumentTests.test(lines))
    let checked = try #require(document, "\(diagnostics)")
    return try #require(TestRunner(checked).results().first)
  }

  private static let answers =
    "answers: { allocate: [{ json: { id: u1 } }], upload: [{ status: 200, delay: 5s }] }\n"

  struct Failing: Sendable {
    let expect: String
    let said: String
  }

  static let failing: [Failing] = [
    Failing(expect: "{ status: stuck }", said: "the run's status: expected stuck, found done"),
    Failing(expect: "{ items: { failed: 1 } }", said: "items that are failed: expected 1, found 0"),
    Failing(
      expect: "{ each: [{ name: a.jpg, status: paused }] }",
      said: "the item 'a.jpg': expected paused, found done"),
    Failing(
      expect: "{ each: [{ name: b.jpg }] }",
      said: "the item 'b.jpg': expected it to exist, found items 'a.jpg'"),
    Failing(
      expect: "{ attempts: { upload: 2 } }", said: "attempts of 'upload': expected 2, found 1"),
    Failing(
      expect: "{ probes: { allocate: 1 } }", said: "probes of 'allocate': expected 1, found 0"),
    Failing(
      expect: "{ reissues: { allocate: 1 } }", said: "reissues of 'allocate': expected 1, found 0"),
    Failing(
      expect: "{ outputs: { allocate: { upload_id: u2 } } }",
      said: #"the output 'upload_id' of 'allocate': expected "u2", found "u1""#),
    Failing(
      expect: "{ each: [{ name: a.jpg, outputs: { allocate: { upload_id: u2 } } }] }",
      said: #"the output 'upload_id' of 'allocate': expected "u2", found "u1""#),
    Failing(
      expect: "{ time: { at_most: 4s } }",
      said: "the time of the run: expected at most 4.000s, found 5.000s"),
    Failing(
      expect: "{ time: { at_least: 6s } }",
      said: "the time of the run: expected at least 6.000s, found 5.000s"),
    Failing(
      expect: "{ disk: { at_most: 1000 B } }",
      said: "bytes on the disk: expected at most 1000, found 1024"),
    Failing(
      expect: "{ reason: enough }",
      said: "the reason for the pause: expected …enough…, found no reason"),
    Failing(
      expect: "{ requests: [{ step: upload, method: POST }] }",
      said:
        "a request of 'upload' POST: expected method POST, found PUT in PUT http://s/u1"),
    Failing(
      expect: "{ requests: [{ step: upload }, { step: allocate }] }",
      said: "a request of 'allocate': expected it to be sent, found no more requests"),
    Failing(
      expect: "{ requests: [{ url: \"http://s/u2\" }] }",
      said: "a request like this: expected it to be sent, found these instead: "
        + "POST http://s/allocate/1048576, PUT http://s/u1"),
    Failing(
      expect: "{ requests: [{ step: upload, headers: { X-A: b } }] }",
      said: "expected header 'X-A' to be 'b', found no such header in PUT http://s/u1"),
    Failing(
      expect: "{ requests: [{ step: upload, if: \"${{ request.size > 2000 }}\" }] }",
      said: "expected ' request.size > 2000 ' to be true, found false in PUT http://s/u1"),
    Failing(
      expect: "{ all_requests: [{ step: allocate }] }",
      said: "all requests: expected 1 requests, found 2, the next is PUT http://s/u1"),
    Failing(
      expect: "{ all_requests: [{ step: upload }] }",
      said: "request 1: expected step 'upload', found step 'allocate'"),
  ]

  @Test(arguments: failing)
  func `an unmet expectation reports the actual value`(failing: Failing) throws {
    let result = try result(Self.answers + "expect: \(failing.expect)")
    #expect(!result.isPassed)
    let text = result.failures.map { "\($0.what): expected \($0.expected), found \($0.found)" }
    #expect(text.count == 1)
    #expect(text[0].hasSuffix(failing.said), "\(text)")
    #expect(result.failures[0].range.start.line == 7)
    #expect(result.timeline.contains("PUT http://s/u1"))
  }

  @Test func `a response that is not scripted fails the case`() throws {
    let result = try result("expect: { status: incomplete }")
    #expect(result.failures.map(\.found) == ["the case has no response to step 'allocate'"])
  }

  @Test func `a run that never ends fails a case that does not mention its end`() throws {
    let result = try result(
      "free_space: 1 B\nlimit: 1h\n" + Self.answers + "expect: { attempts: { upload: 0 } }")
    #expect(result.failures.map(\.found) == ["unfinished"])
  }

  @Test func `a response whose expression fails is named`() throws {
    let result = try result(
      "answers: { allocate: [{ json: { id: \"${{ request.json.x }}\" } }] }\n"
        + "expect: { status: incomplete }")
    #expect(result.failures.count == 1)
    #expect(result.failures[0].range.start.line == 6)
    #expect(result.failures[0].found.contains("cannot make a response to step 'allocate'"))
  }

  @Test func `the forms of the report agree`() throws {
    let (document, _) = TestDocumentTests.load(
      TestDocumentTests.test(Self.answers + "expect: { status: stuck }")
        + "  - { name: \"<two> & more\", answers: { allocate: [{ json: { id: u } }] }, expect: { status: done } }\n"
    )
    let runner = TestRunner(try #require(document))
    let results = runner.results()
    let report = TestReport([.init(name: "some/a.test.yaml", results: results)])
    #expect(!report.isPassed)
    #expect(
      report.text().contains(
        "\nsome/a.test.yaml:7:23: error[test-failed]: the run's status: expected stuck, found done\n"
      ))
    #expect(report.text().hasSuffix("2 cases, 1 failed\n"))
    #expect(report.junit().contains("name=\"&lt;two&gt; &amp; more\"/>"))
    #expect(report.junit().contains("<testsuites tests=\"2\" failures=\"1\">"))
    #expect(runner.results(filter: "two").map(\.isPassed) == [true])
  }
}
