import PipelineCore
import PipelineSimulator
import Testing

/// Steps that would mistake the response of a gateway for the server's.
extension CertificateTests {
  static let unproven: [Example] = [
    Example(
      name: "an upload whose success any 200 would show",
      steps: allocate + upload.replacing(proof, with: ""),
      words: ["upload"]),
    Example(
      name: "a creating step whose success any 200 would show",
      steps: allocate + upload
        + publish("idempotency: { key: \"publish-${{ item.key }}\" }")
        .replacing(proof, with: ""), words: ["publish"]),
    Example(
      name: "a page in place of a download",
      steps: "- { id: fetch, download: { url: \"http://s/${{ file.name }}\", max_size: 10 MB } }",
      words: ["fetch"]),
    Example(
      name: "a question whose 200 skips the item",
      steps: """
        - id: look
          request: { method: HEAD, url: "http://s/${{ file.name }}", example: { status: 404 } }
          on: [{ if: "${{ response.status == 200 }}", then: skip_item }, { if: "${{ response.status == 404 }}", then: success }]
        - { id: put, depends_on: [look], upload: { url: "http://s/${{ file.relative }}", file: "${{ file }}" }, \(proof) }
        """, words: ["look"]),
    Example(
      name: "a question whose 200 skips nothing",
      steps: """
        - id: look
          request: { method: HEAD, url: "http://s/${{ file.name }}", example: { status: 404 } }
          on: [{ if: "${{ response.status == 200 && header(response.headers, 'content-length').orValue('') == string(file.size) }}", then: skip_item }, { if: "${{ response.status in [200, 404] }}", then: success }]
        - { id: put, depends_on: [look], upload: { url: "http://s/${{ file.relative }}", file: "${{ file }}" }, \(proof) }
        """),
  ]

  @Test func `a probe that only asks for a status relies on the server to respond itself`() throws {
    let isThere = Self.probe(
      "response.status == 200",
      ", example: { took_effect: { status: 200 }, no_effect: { status: 404 } }")
    for (probe, word) in [
      (isThere, "a 2xx response to the probe of 'publish' is from the server itself"),
      (Self.probe(Self.isComplete), nil),
    ] {
      let example = Example(
        name: "", steps: Self.allocate + Self.upload + Self.publish(probe))
      let safety = try CrashVerifierTests.verify(example.text, pairs: 300, isWhole: true)
      #expect(safety.counterexamples.isEmpty, "\(safety.counterexamples)")
      #expect(safety.steps.flatMap(\.assumptions) == [word].compactMap { $0 })
    }
  }
}
