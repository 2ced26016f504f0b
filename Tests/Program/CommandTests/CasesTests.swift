import Foundation
import TestSupport
import Testing

/// Tests/Cases: protocols that were first written without loops, digests and lists of headers, and are shorter with them.
struct CasesTests {
  private static let folder = CommandRunner.packageRoot.appending(path: "Tests/Cases")

  /// Lines without comments and blank ones that each needed before.
  @Test(arguments: [("nc", 16), ("gcs", 42), ("gcs-resync", 54), ("lfs", 73)])
  func `a protocol needs fewer lines than before`(name: String, before: Int) throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: name + ".yaml"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter {
      !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("#")
    }
    #expect(lines.count < before)
  }

  @Test func `each has no mistakes, and passes its cases`() async throws {
    let scene = try Scene()
    let checked = try await scene.pipeline.run("validate", Self.folder.path)
    #expect(checked.status == 0, "\(checked)")
    #expect((checked.output + checked.error).isEmpty, "\(checked)")
    let tested = try await scene.pipeline.run("test", Self.folder.path)
    #expect(tested.status == 0, "\(tested)")
    #expect(tested.output.contains("11 cases"), "\(tested)")
  }
}
