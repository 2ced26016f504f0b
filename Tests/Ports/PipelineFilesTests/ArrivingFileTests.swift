import PipelineCore
import PipelineEngine
import Testing

@testable import PipelineFiles

struct ArrivingFileTests {
  private let folder: ScratchFolder
  private let workspace: POSIXWorkspace
  /// FIPS 180-4, appendix B.1: the digest of "abc".
  private let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  init() throws {
    folder = try ScratchFolder()
    workspace = try POSIXWorkspace(root: folder.path)
  }

  /// Passes the pieces to the sink; returns its error, or the file.
  private func receive(
    _ plan: DownloadPlan, _ pieces: [String], expecting size: Int64? = nil
  ) async -> Result<FileValue, FileFailure> {
    do throws(FileFailure) {
      let sink = try await workspace.sink(for: plan, at: "0/film")
      do throws(FileFailure) {
        try await sink.begin(Representation(size: size))
        for piece in pieces { try await sink.append(Array(piece.utf8)) }
      } catch {
        await sink.discard()
        throw error
      }
      return .success(try await sink.publish(contentType: "text/plain"))
    } catch {
      return .failure(error)
    }
  }

  private func kind(_ result: Result<FileValue, FileFailure>) -> FileFailure.Kind? {
    if case .failure(let failure) = result { failure.kind } else { nil }
  }

  @Test func `a file of another size or digest does not appear, and nothing is left of it`() async {
    let longer = DownloadPlan(name: "film", size: 4)
    #expect(kind(await receive(longer, ["abc"])) == .mismatch)
    #expect(kind(await receive(longer, ["abc"], expecting: 3)) == .mismatch)
    let other = DownloadPlan(name: "film", expected: [.sha256: digest], digests: [.sha256])
    #expect(kind(await receive(other, ["abd"])) == .mismatch)
    #expect(folder.files == [])
  }

  @Test func `no more is written than the maximum`() async {
    let plan = DownloadPlan(name: "film", limit: 5)
    #expect(kind(await receive(plan, ["abc", "def"])) == .reservationExceeded)
    #expect(kind(await receive(plan, [], expecting: 6)) == .reservationExceeded)
    #expect(folder.files == [])
  }

  @Test func `a path that leaves the folder is refused`() async {
    await #expect(throws: FileFailure.self) {
      _ = try await workspace.sink(for: DownloadPlan(name: "x"), at: "../x")
    }
  }

  @Test func `after its end, a file does not accept anything`() async throws {
    let sink = try await workspace.sink(for: DownloadPlan(name: "film"), at: "0/film")
    await sink.discard()
    await #expect(throws: FileFailure.self) { try await sink.append([1]) }
    #expect(folder.files == [])
  }

  @Test func `a file appears whole with its digests`() async throws {
    let plan = DownloadPlan(
      name: "film.txt", size: 3, expected: [.sha256: digest], digests: [.sha256, .md5])
    let file = try await receive(plan, ["a", "bc"], expecting: 3).get()
    #expect(folder.files == ["0/film"])
    #expect(file.path == "0/film" && file.name == "film.txt" && file.size == 3)
    #expect(file.digests[.sha256] == digest)
    #expect(file.digests[.md5] == "900150983cd24fb0d6963f7d28e17f72")
    #expect(file.contentType == "text/plain")
  }

  @Test func `a file that starts over drops earlier bytes`() async throws {
    let plan = DownloadPlan(name: "film", expected: [.sha256: digest], digests: [.sha256])
    let sink = try await workspace.sink(for: plan, at: "film")
    try await sink.begin(Representation(size: 9))
    try await sink.append([1, 2, 3, 4])
    try await sink.begin(Representation(size: 3))
    try await sink.append(Array("abc".utf8))
    #expect(try await sink.publish(contentType: nil).size == 3)
  }
}
