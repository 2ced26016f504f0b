@testable import PipelineAuthoring
import PipelineDocument
import Testing

/// The information for editors about scenarios.
struct ScenarioAnalysisTests {
  @Test(arguments: [
    ("scenario: a\nde‸", "device"), ("scenario: a\nitems:\n  ‸", "count"),
    ("scenario: a\ndevice: ‸", "ios17"), ("scenario: a\nconditions: { ‸ }", "bandwidth"),
    ("scenario: a\nconditions:\n  network: ‸", "cellular"),
    ("scenario: a\ntimeline:\n  - ‸", "open"), ("scenario: a\ntimeline:\n  - do: ‸", "force_quit"),
    ("scenario: a\ntimeline:\n  - { at: \"08:00\", ‸ }", "open"),
    ("scenario: a\nserver:\n  faults:\n    ‸", "lost_reply"),
    ("scenario: a\nproperties:\n  - name: a\n    ‸", "never"),
    ("scenario: a\nproperties:\n  - name: a\n    never: ${{ ‸ }}", "items"),
    ("scenario: a\nproperties:\n  - name: a\n    never: ${{ items.‸ }}", "completed"),
    ("scenario: a\nproperties:\n  - name: a\n    at_most_once: ${{ response.‸ }}", "committed"),
  ])
  func `keys, words and names are completed`(text: String, label: String) {
    #expect(AnalysisText(text).labels.contains(label), "\(AnalysisText(text).labels)")
  }

  @Test func `a scenario does not offer keys of pipelines`() {
    let labels = AnalysisText("scenario: a\n‸").labels
    #expect(!labels.contains("steps"))
    #expect(!labels.contains("scenario"))
  }

  @Test func `a world is independent of requests`() {
    let text = "scenario: a\nproperties:\n  - name: a\n    never: ${{ ‸ }}"
    #expect(!AnalysisText(text).labels.contains("request"))
  }

  @Test func `a key has a description`() {
    #expect(
      AnalysisText("scenario: a\nopen‸ing: 5m\n").hover?.contains("stays in the foreground") == true
    )
  }

  @Test func `mistakes are reported while the user types`() {
    let analysis = DocumentAnalysis(
      text: "scenario: a\nitems: { count: 0 }\n", file: "a.yaml")
    #expect(analysis.diagnostics.map(\.code) == [.outOfRange])
  }

  @Test func `a test completes its own keys`() {
    let labels = AnalysisText("test: a\npipeline: b.yaml\ncases: []\n‸").labels
    #expect(labels.contains("answers"))
    #expect(!labels.contains("steps"))
  }
}
