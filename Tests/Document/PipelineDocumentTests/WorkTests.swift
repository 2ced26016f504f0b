import Basics
import PipelineDocument
import Testing

/// Small files that ask for much work.
struct WorkTests {
  private static func check(
    _ text: String, files: [String: String] = [:]
  ) -> (budget: WorkBudget, found: [Diagnostic]) {
    let budget = SharedBudget()
    let result = PipelineDocument.validate(
      bytes: text.utf8, file: "a.yaml", files: DocumentFiles { files[$0].map { Array($0.utf8) } },
      budget: budget)
    return (budget.spent, result.diagnostics)
  }

  @Test(arguments: [10, 26, 60])
  func `a name that contains another twice is not doubled`(_ count: Int) {
    let names = (1...count).map { "      a\($0): \"${{ a\($0 - 1) + a\($0 - 1) }}\"\n" }.joined()
    let (budget, found) = Self.check(
      """
      pipeline: bomb
      inputs: { server: { type: url } }
      steps:
        - id: s
          let:
            a0: ${{ inputs.server }}
      \(names)    request: { url: "${{ inputs.server + a\(count) }}" }
      """)
    #expect(found == [])
    #expect(budget.used(.work) < 400 * count + 2_000)
  }

  @Test func `files that use each other ten times end with one finding`() {
    var files: [String: String] = [:]
    for level in 1...8 {
      let steps = (0..<10).map {
        level == 8
          ? "  - { id: u\($0), request: { url: \"https://example.com/\" } }\n"
          : "  - { id: u\($0), use: f\(level + 1).yaml }\n"
      }
      files["f\(level).yaml"] = "pipeline: fan\nsteps:\n" + steps.joined()
    }
    let (budget, found) = Self.check(
      "pipeline: fan\nsteps: [{ id: u, use: f1.yaml }]\n", files: files)
    #expect(budget.exceeded == .steps)
    #expect(
      found.filter { $0.code == .tooCostly }.map(\.message)
        == ["the pipeline has more than 1,000 steps"])
  }

  @Test func `a thousand steps are checked and one more is refused`() {
    func codes(_ count: Int) -> [DiagnosticCode] {
      let steps = (0..<count).map {
        "  - { id: s\($0), request: { url: \"https://example.com/\" } }\n"
      }
      return Self.check("pipeline: many\nsteps:\n" + steps.joined()).found.map(\.code)
    }
    #expect(codes(1_000) == [])
    #expect(codes(1_001) == [.tooCostly])
  }

  @Test func `a text with many expressions that aliases repeat is refused`() {
    let whole = String(repeating: "${{ run.id }}", count: 900)
    let aliases = String(repeating: ", *a", count: 5_000)
    let (budget, found) = Self.check(
      """
      pipeline: p
      steps:
        - id: a
          request: { method: POST, url: "https://example.com/", json: [&a "\(whole)"\(aliases)] }
      """)
    #expect(budget.exceeded != nil)
    #expect(found.map(\.code).contains(.tooCostly))
  }

  @Test func `names from let may contain each other in two hundred levels`() {
    func codes(_ count: Int) -> [DiagnosticCode] {
      let names = (1..<count).map { "      a\($0): \"${{ a\($0 - 1) }}\"\n" }.joined()
      return Self.check(
        """
        pipeline: p
        steps:
          - id: s
            let:
              a0: ${{ run.id }}
        \(names)    request: { url: "https://example.com/${{ a\(count - 1) }}" }
        """
      ).found.map(\.code)
    }
    #expect(codes(150) == [])
    #expect(codes(3_000).contains(.expressionSyntax) || codes(3_000).contains(.expressionType))
  }
}
