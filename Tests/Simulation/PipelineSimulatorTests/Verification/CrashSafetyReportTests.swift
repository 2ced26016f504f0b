import Basics
import Foundation
import JSONSchema
import PipelineDocument
import PipelineSimulator
import TestSupport
import Testing

struct CrashSafetyReportTests {
  private static let unsafe = Result {
    try CrashVerifierTests.verify(CrashVerifierTests.unsafe, pairs: 0, isWhole: true)
  }

  private func report() throws -> CrashSafetyReport {
    CrashSafetyReport([try Self.unsafe.get()])
  }

  @Test func `the text names each step and describes the counterexample`() throws {
    let text = try report().text()
    #expect(text.contains("; 2 steps proven safe; 1 not safe ('finalize'); 0 of "), "\(text)")
    #expect(text.hasPrefix("test.yaml: not safe: 1 counterexample;"))
    #expect(text.contains("allocate         safe by the idempotency key in 'Idempotency-Key'"))
    #expect(text.contains("finalize         NOT SAFE: nothing"))
    #expect(text.contains("error[double-effect]: the server carried out 'finalize' twice"))
    #expect(try report().isCertified == false)
  }

  @Test func `the JSON conforms to its schema`() throws {
    let schema = try Schema.compile(
      try JSONReader().read(TestFiles.text("Schemas/verification.schema.json")).root)
    let value = try JSONReader().read(report().json()).root
    #expect(schema.validate(value).isValid)
    let broken = try JSONReader().read(report().json().replacing("double-effect", with: "x")).root
    #expect(!schema.validate(broken).isValid)
  }

  @Test func `the SARIF log has a result at the place of the step`() throws {
    let text = try report().sarif(version: "1.2.3")
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    #expect(text.contains(#""ruleId":"double-effect","level":"error""#))
    #expect(text.contains(#""uri":"test.yaml""#))
    #expect(text.contains(#""startLine":15"#), "\(text)")
  }

  @Test func `the page is self-contained and escapes its content`() throws {
    let page = try report().html()
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("href="))
    #expect(page.contains("not safe: 1 counterexample"))
    #expect(page.contains("<mark>"))
    #expect(!page.contains("->"))
  }
}
