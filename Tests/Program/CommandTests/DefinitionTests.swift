import Foundation
import TestSupport
import Testing

/// Continuing a run whose file has changed since.
struct DefinitionTests {
  /// A run that waits at its first upload, since its server is not there.
  private func restingRun() async throws -> (scene: Scene, server: ServerProcess) {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(Self.text, to: "test.yaml")
    let server = try await scene.server()
    let outcome = try await scene.pipeline.run(
      "run", "test.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("2 failed"), "\(outcome)")
    return (scene, server)
  }

  /// `copy` succeeds, `put` fails with 404, `confirm` is never reached.
  private static let text = """
    pipeline: test
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin" }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: copy
            materialize: { file: "${{ file }}" }
          - id: put
            upload:
              url: ${{ inputs.server + "/v1/nowhere/" + urlEscape(file.name) }}
              file: ${{ steps.copy.file }}
          - id: confirm
            depends_on: [put]
            request: { url: "${{ inputs.server + '/v1/nowhere/' + urlEscape(file.name) }}" }

    """

  private func change(_ scene: Scene, _ old: String, _ new: String) throws {
    let text = Self.text.replacingOccurrences(of: old, with: new)
    try #require(text != Self.text)
    try scene.directory.write(text, to: "test.yaml")
  }

  @Test func `a changed file is reported step by step, and nothing happens without confirmation`()
    async throws
  {
    let (scene, server) = try await restingRun()
    let requests = server.journal.count
    try change(scene, "'/v1/nowhere/'", "'/v1/files/'")
    for command in ["resume", "retry"] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status == 2, "\(outcome)")
      let file = scene.directory.path("test.yaml")
      #expect(outcome.error.contains("'\(file)' has changed since the run started:\n"))
      #expect(outcome.error.contains("  step 'confirm': 'request'\n"), "\(outcome)")
      #expect(!outcome.error.contains("step 'put'"))
      #expect(outcome.error.contains("--accept-changes continues with the changed file"))
      #expect(outcome.error.contains("--keep-definition"))
    }
    #expect(server.journal.count == requests)
  }

  @Test func `a comment or a blank changes nothing`() async throws {
    let (scene, _) = try await restingRun()
    try change(scene, "pipeline: test", "# a comment\npipeline:   test")
    let outcome = try await scene.pipeline.run("resume")
    #expect(!outcome.error.contains("has changed"), "\(outcome)")
    #expect(outcome.status == 1)
  }

  @Test func `a change of a step that no item has passed is accepted`() async throws {
    let (scene, _) = try await restingRun()
    try change(scene, "'/v1/nowhere/'", "'/v1/files/'")
    let accepted = try await scene.pipeline.run("retry", "--accept-changes")
    #expect(accepted.status == 1, "\(accepted)")
    #expect(!accepted.error.contains("has changed"), "\(accepted)")
    // The run has the changed definition now, so that nothing is asked again.
    let again = try await scene.pipeline.run("resume")
    #expect(!again.error.contains("has changed"), "\(again)")
  }

  @Test func `a change of a step that items have passed is refused`() async throws {
    let (scene, server) = try await restingRun()
    let requests = server.journal.count
    try change(
      scene, #"materialize: { file: "${{ file }}" }"#,
      #"materialize: { file: "${{ file }}", digests: [md5] }"#)
    let outcome = try await scene.pipeline.run("retry", "--accept-changes")
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains("items have already passed 'copy'"), "\(outcome)")
    #expect(server.journal.count == requests)
    let kept = try await scene.pipeline.run("retry", "--keep-definition")
    #expect(kept.status == 1, "\(kept)")
    #expect(server.journal.count > requests)
  }

  @Test func `inputs and loops are fixed for a run`() async throws {
    let (scene, _) = try await restingRun()
    try change(scene, "files/*.bin", "files/*.jpg")
    let outcome = try await scene.pipeline.run("resume", "--accept-changes")
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains("cannot change within a run"), "\(outcome)")
  }

  @Test func `a mistake in the file does not affect the definition that was kept`()
    async throws
  {
    let (scene, _) = try await restingRun()
    try scene.directory.write("pipeline: [\n", to: "test.yaml")
    let accepted = try await scene.pipeline.run("resume", "--accept-changes")
    #expect(accepted.status == 2, "\(accepted)")
    #expect(accepted.error.contains("test.yaml:2:1: error["), "\(accepted)")
    let kept = try await scene.pipeline.run("resume", "--keep-definition")
    #expect(kept.status == 1, "\(kept)")
  }

  @Test func `a file may be missing`() async throws {
    let (scene, _) = try await restingRun()
    try FileManager.default.removeItem(atPath: scene.directory.path("test.yaml"))
    let outcome = try await scene.pipeline.run("retry")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output.contains("2 failed"), "\(outcome)")
  }
}
