import Basics
import PipelineDocument
import Testing

/// Outputs of steps that may have been skipped.
struct SkippedOutputTests {
  private func codes(_ text: String) -> [DiagnosticCode] {
    PipelineDocument.load(text: text, file: "a.yaml").diagnostics.map(\.code)
  }

  @Test func `a loop iterates over the output of a step that may have been skipped`() {
    func codes(_ list: String) -> [DiagnosticCode] {
      self.codes(
        """
        pipeline: example
        inputs: { all: { type: bool } }
        steps:
          - id: make
            if: ${{ inputs.all }}
            request: { url: "https://example.com/" }
            outputs: { names: "${{ response.json.names }}" }
          - for_each: name
            in: ${{ \(list) }}
            steps:
              - id: read
                request: { url: "https://example.com/${{ name }}" }
        """)
    }
    #expect(codes("steps.make.names") == [.skippedOutput])
    #expect(codes("has(steps.make.names)?steps.make.names:[]") == [])
  }

  private func skipped(_ condition: String, _ reader: String) -> [DiagnosticCode] {
    codes(
      """
      pipeline: example
      inputs: { photos: { type: files }, all: { type: bool } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: make
              if: "${{ \(condition) }}"
              request: { url: "https://example.com/${{ inputs.all }}" }
              outputs: { id: "${{ response.json.id }}" }
            - { id: read, \(reader) }
          on_abandon:
            - request: { method: DELETE, url: "https://example.com/${{ steps.make.id }}" }
      """)
  }

  private static let url = #"request: { url: "https://example.com/${{ steps.make.id }}" }"#

  @Test(arguments: [
    ("photo.size > 0", #"if: "${{ photo.size > 0 }}", "# + url),
    ("photo.size > 0", #"if: "${{ inputs.all && photo.size > 0 }}", "# + url),
    (
      "photo.size > 0 && inputs.all",
      #"if: "${{ inputs.all && photo.size > 0 && photo.name != '' }}", "# + url
    ),
    ("photo.size > 0", #"if: "${{ photo.size >= 1 }}", "# + url),
    (
      "photo.size > 0 || inputs.all",
      #"if: "${{ photo.name in ['a', 'b'] && !(photo.size == 0) }}", "# + url
    ),
    ("photo.size > 0 && photo.size % 2 == 0", #"if: "${{ photo.size == 8 }}", "# + url),
    ("photo.size > 0", #"if: "${{ photo.size != 0 }}", "# + url),
    ("photo.size > 0", #"if: "${{ has(steps.make.id) }}", "# + url),
    (
      "photo.size > 0",
      #"request: { url: "https://example.com/${{ has(steps.make.id) ? string(steps.make.id) : '' }}" }"#
    ),
    (
      "photo.size > 0",
      #"request: { url: "https://example.com/${{ photo.size > 0 ? string(steps.make.id) : '' }}" }"#
    ),
  ])
  func `an output may be read where its step is known not to be skipped`(
    _ condition: String, _ reader: String
  ) {
    #expect(skipped(condition, reader) == [])
  }

  @Test(arguments: [
    ("photo.size > 0", url), ("photo.size > 0", #"if: "${{ inputs.all }}", "# + url),
    ("photo.size > 0", #"if: "${{ photo.size >= 0 }}", "# + url),
    ("photo.size > 5", #"if: "${{ photo.size > 4 || inputs.all }}", "# + url),
    ("inputs.all && photo.size > 0", #"if: "${{ inputs.all }}", "# + url),
    ("photo.extension == 'jpg'", #"if: "${{ photo.extension != 'png' }}", "# + url),
    (
      "inputs.all",
      #"request: { url: "https://example.com/" }, on: [{ if: "${{ response.text == string(steps.make.id) }}", then: fail }]"#
    ),
  ])
  func `an output of a step that may have been skipped is reported`(
    _ condition: String, _ reader: String
  ) {
    #expect(skipped(condition, reader) == [.skippedOutput])
  }

  @Test(arguments: [
    ("endsWith('.jpg')", "endsWith('a.jpg')", false),
    ("matches('jpg')", "startsWith('jpg')", false),
    ("matches('^a')", "startsWith('h')", true), ("endsWith('.jpg')", "contains('a')", true),
  ])
  func `texts are tried on conditions that compare one`(
    _ made: String, _ read: String, _ isSkipped: Bool
  ) {
    let found = skipped("photo.name.\(made)", "if: \"${{ photo.name.\(read) }}\", \(Self.url)")
    #expect(found == (isSkipped ? [.skippedOutput] : []))
  }
}
