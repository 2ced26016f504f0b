import PipelineDocument
import Testing

/// The findings about the condition of an entry of `on`.
struct ConditionChecksTests {
  private func codes(_ conditions: String...) -> [DiagnosticCode] {
    let entries = conditions.map { "      - if: >-\n          ${{ \($0) }}\n        then: fail" }
    let text = """
      pipeline: example
      inputs: { limit: { type: int, default: 3 }, one: { type: file, default: a } }
      steps:
        - id: ping
          request:
            url: "https://example.com/${{ inputs.limit }}/${{ inputs.one.size }}"
            response:
              schema:
                properties:
                  state: { enum: [open, closed] }
                  parts: { type: array, items: { properties: { kind: { enum: [a] } } } }
          on:
      \(entries.joined(separator: "\n"))
      """
    return PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
  }

  @Test(arguments: [
    "true", "1 == 1", "1 + 1 > 3", "'a' in ['b']", "5 * MiB < 5 * MB", "1 == 2 && inputs.limit > 3",
    "inputs.limit > 3 || true", "!(1 == 2)", "inputs.limit > 3 ? false : false",
    "response.status >= 0", "response.status == 404 && response.status == 410",
    "response.status < 400 && response.status >= 500",
    "response.status != 404 || response.status != 410",
    "response.status / 100 == 4 && response.status >= 500",
    "!(response.status >= 100) && response.status > 0",
  ])
  func `a condition with a constant result is reported`(_ condition: String) {
    #expect(codes(condition) == [.constantCondition])
  }

  @Test(arguments: [
    "response.status == 600", "response.status == 42", "response.status > 599",
    "700 <= response.status", "response.status in [404, 4040]", "response.status / 100 == 7",
    "response.status != 999", "response.error == \"timed out\"",
    "response.error in [\"tls\", \"tsl\"]",
    "response.json.state == \"opened\"", "inputs.one.size < 0", "size(history.statuses) == -1",
    "0 > inputs.one.size", "inputs.limit == inputs.limit", "inputs.limit < inputs.limit",
  ])
  func `a comparison with a missing value is the only finding`(_ condition: String) {
    #expect(codes(condition) == [.impossibleComparison])
  }

  @Test(arguments: [
    "response.status == 404", "response.status in [404, 410, 0]", "response.status == 0",
    "response.status >= 500 && response.status < 600", "response.status / 100 == 5",
    "response.status >= 200 && response.status <= 299 && inputs.limit > 3",
    "response.status == 404 && inputs.limit > 3", "response.status * 2 > 1000",
    "response.error == \"timeout\"", "response.error != \"\"", "response.error in [\"tls\", \"\"]",
    "response.json.state == \"closed\"", "response.json.other == \"closed\"",
    "response.json.parts.exists(part, part.kind == \"a\")", "inputs.one.size <= 0",
    "size(history.statuses) < 3", "inputs.limit < 0", "1000 / response.status > 2",
    "response.status == 409 || response.json.code == 5", "inputs.limit > 3 ? true : false",
    "response.status in [inputs.limit]", "now < timestamp(\"2030-01-01T00:00:00Z\")",
    "response.headers[\"retry-after\"] == \"1\"", "header(response.headers, \"ETag\").hasValue()",
  ])
  func `a condition that decides something is accepted`(_ condition: String) {
    #expect(codes(condition) == [])
  }

  @Test(arguments: [
    ["response.status == 404", "response.status == 404"],
    ["response.status >= 400", "response.status in [404, 500]"],
    ["response.status in [404, 410]", "response.status == 404 && inputs.limit > 3"],
    [
      "response.status < 500", "response.status == 503 || response.status == 0",
      "response.status == 0",
    ],
    ["response.status == 404", "response.status == 410", "response.status in [410, 404]"],
    ["inputs.limit > 3", "response.status == 404 && inputs.limit > 3"],
    ["response.status > 0", "!(response.status == 0)"],
  ])
  func `an entry that earlier ones always shadow is never reached`(_ conditions: [String]) {
    let found =
      conditions.count == 2
      ? codes(conditions[0], conditions[1]) : codes(conditions[0], conditions[1], conditions[2])
    #expect(found.filter { $0 == .unreachableMatcher } == [.unreachableMatcher])
  }

  @Test(arguments: [
    ["response.status == 404 && inputs.limit > 3", "response.status == 404"],
    ["response.status >= 500", "response.status >= 400"],
    ["response.json.code == 5", "response.status == 200"],
    ["inputs.limit > 3", "inputs.limit > 2"],
    ["response.status == 404 || inputs.limit > 3", "inputs.limit > 3 || response.status == 410"],
  ])
  func `an entry that matches the rest of earlier ones is reached`(_ conditions: [String]) {
    #expect(codes(conditions[0], conditions[1]) == [])
  }

  @Test(arguments: [
    "response.headers[\"ETag\"] == \"a\"", "\"ETag\" in response.headers",
    "has(response.headers.ETag)",
    "response.headers[?\"Retry-After\"].orValue(\"\") == \"1\"",
    "response.headers.Location == \"a\"",
  ])
  func `a header is not found by a name in capitals`(_ condition: String) {
    #expect(codes(condition) == [.headerCase])
  }
}
