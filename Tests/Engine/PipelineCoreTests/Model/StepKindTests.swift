import CEL
import MachineSupport
import Testing

@testable import PipelineCore

struct StepKindTests {
  @Test func `a copy of a step keeps everything that is not changed`() throws {
    let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
    let yes = try #require(Environment.standard.compile("true").expression)
    let text = Template(text: "a")
    let proved = Step(
      id: StepID("proved"), loop: 0, position: 2,
      action: .request(RequestTemplate(url: text)), successIf: Expression(yes, at: place),
      signIn: SignIn(
        name: "a", tokenURL: text, client: text, origin: text, output: nil, asks: nil),
      location: place)
    let known = [SmallPipelines.photos(), SmallPipelines.batch(hasProbe: true)].flatMap(\.steps)
    for step in known + [proved] {
      let copy = step.with(outputs: [])
      for (old, new) in zip(Mirror(reflecting: step).children, Mirror(reflecting: copy).children)
      where old.label != "outputs" {
        #expect("\(old)" == "\(new)")
      }
      #expect(copy.outputs.isEmpty)
    }
    let moved = proved.with(loop: .some(nil))
    #expect(moved.loop == nil && moved.successIf != nil && moved.signIn == proved.signIn)
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
