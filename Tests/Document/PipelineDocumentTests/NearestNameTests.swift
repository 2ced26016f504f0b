import PipelineDocument
import Testing

/// The cost of a document in which every name is wrong.
struct NearestNameTests {
  @Test
  func `a document full of misspelled names is checked, each with a near suggestion`() {
    let count = 600
    var text = "pipeline: x\ninputs:\n"
    for number in 0..<count { text += "  input\(number): { type: string }\n" }
    text += "steps:\n"
    for number in 0..<count {
      text += "  - id: a\(number)\n    request: { url: \"${{ inputs.inptu\(number) }}\" }\n"
    }
    let found = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    let unknown = found.filter { $0.code == .unknownInput }
    // A hundred, and how many more there are.
    #expect(unknown.count == 101)
    #expect(unknown.contains { $0.message.hasPrefix("\(count - 100) more") })
    #expect(unknown.first?.help == "did you mean 'input0'?")
  }
}
