import TestSupport
import Testing

/// The report of `validate --audit` about files that a pipeline uses.
struct AuditTests {
  @Test(arguments: [
    ("https://api.example.com", "https://api.example.com"),
    ("${{ inputs.server }}", "a host named by the input 'server'"),
  ])
  func `an audit shows the value that a used file receives`(_ value: String, _ host: String)
    async throws
  {
    let scene = try Scene()
    try scene.directory.write(
      """
      pipeline: used
      inputs: { root: { type: url } }
      steps: [{ id: send, request: { method: PUT, url: "${{ inputs.root }}/x" } }]
      """, to: "used.yaml")
    try scene.directory.write(
      """
      pipeline: top
      inputs: { server: { type: url } }
      steps: [{ id: a, use: used.yaml, with: { root: '\(value)' } }]
      """, to: "top.yaml")
    let audit = try await scene.pipeline.run("validate", "top.yaml", "--audit")
    #expect(audit.output.contains("\n    \(host): a.send\n"), "\(audit)")
  }
}
