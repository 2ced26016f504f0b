import PipelineCore
import PipelineSimulator
import Testing

/// A verification always has two files with the same name.
struct SharedTargetVerificationTests {
  private static func verify(_ steps: String) throws -> CrashSafety {
    try CrashVerifierTests.verify(
      SharedTargetTests.text(steps + "\n  success_if: \"${{ response.status == 201 }}\""),
      pairs: 2000, isWhole: true)
  }

  @Test func `two files under one address are a counterexample`() throws {
    let safety = try Self.verify(SharedTargetTests.put)
    #expect(safety.verdict == .unsafe)
    let example = try #require(safety.counterexamples.first)
    #expect(safety.counterexamples.count == 1)
    #expect(example.kind == .sharedTarget)
    #expect(example.step == StepID("put"))
    #expect(example.disturbances.isEmpty)
  }

  @Test func `the path below the folder of the glob makes them different`() throws {
    let steps = SharedTargetTests.put.replacing(
      "urlEscape(photo.name)", with: "urlEscapePath(photo.relative)")
    let safety = try Self.verify(steps)
    #expect(safety.isCertified, "\(safety.counterexamples)")
  }

  @Test func `an effect that the author allows is an assumption`() throws {
    let safety = try Self.verify(SharedTargetTests.put + "\n  shared_target: allow")
    #expect(safety.verdict == .assumed, "\(safety.counterexamples)")
    #expect(safety.steps.flatMap(\.assumptions) == ["no other item has the same target"])
  }
}
