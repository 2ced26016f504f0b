import MachineSupport
import Testing

@testable import PipelineCore

struct StepKindTests {
  @Test func `a copy of a step keeps all that it is not told to change`() throws {
    for pipeline in [SmallPipelines.photos(), SmallPipelines.batch(hasProbe: true)] {
      for step in pipeline.steps {
        let copy = step.with(outputs: [])
        for (old, new) in zip(Mirror(reflecting: step).children, Mirror(reflecting: copy).children)
        where old.label != "outputs" {
          #expect("\(old)" == "\(new)")
        }
        #expect(copy.outputs.isEmpty)
      }
    }
  }

  @Test func `each action is of the kind whose key it has`() {
    let request = RequestTemplate(url: Template(text: "https://example.com"))
    #expect(Step.Action.request(request).kind.rawValue == "request")
    #expect(
      StepKind.allCases.map(\.rawValue) == [
        "request", "materialize", "poll", "digest", "upload", "download", "repeat", "for_each",
      ])
    #expect(!StepKind.allCases.contains { $0.isTransfer && !$0.hasResponse })
  }
}
