import PipelineCore
import PipelineEngine
import PipelineSimulator
import Testing

struct VirtualDiskTests {
  private let now = Instant(milliseconds: 1_767_600_000_000)

  private func plan(
    _ pieces: [Body.Piece], digests: [DigestAlgorithm] = [],
    reserved: Int64 = .max
  ) -> MaterializationPlan {
    MaterializationPlan(
      pieces: pieces, digests: digests, name: "body", contentType: nil, reservedBytes: reserved)
  }

  private func kind(
    _ disk: inout VirtualDisk, _ plan: MaterializationPlan, at path: String = "0/a"
  ) -> FileFailure.Kind? {
    do throws(FileFailure) {
      _ = try disk.materialize(plan, at: path, now: now)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a source that is missing, or differs from the listed one, does not create a file`() {
    var disk = VirtualDisk()
    let file = FileValue(path: "/a", name: "a", size: 3, modified: 1)
    let copy = plan([.file(file, offset: 0, length: 3)])
    #expect(kind(&disk, copy) == .missing)
    disk.add(FileValue(path: "/a", name: "a", size: 3, modified: 2))
    #expect(kind(&disk, copy) == .changed)
    disk.add(file)
    #expect(kind(&disk, copy) == nil)
    disk.remove("/a")
    #expect(kind(&disk, copy) == .missing)
    #expect(disk.paths == ["0/a"])
  }

  @Test(arguments: ["/etc/passwd", "../a", "a/../../b", ""])
  func `no path is outside the run's folder`(path: String) {
    var disk = VirtualDisk()
    #expect(kind(&disk, plan([.bytes([1])]), at: path) == .system)
  }

  @Test func `a file that does not fit leaves nothing behind`() {
    var disk = VirtualDisk(capacity: 10)
    #expect(kind(&disk, plan([.bytes([UInt8](repeating: 0, count: 11))])) == .noSpace)
    #expect(kind(&disk, plan([.bytes([1, 2])], reserved: 1)) == .reservationExceeded)
    #expect(disk.used == 0 && disk.peak == 0 && disk.paths == [])
    #expect(kind(&disk, plan([.bytes([UInt8](repeating: 0, count: 10))])) == nil)
    #expect(kind(&disk, plan([.bytes([UInt8](repeating: 0, count: 9))])) == nil, "it replaces")
    #expect(disk.used == 9 && disk.peak == 10)
    disk.discard("0/a")
    #expect(disk.used == 0)
  }

  @Test func `digests of known bytes are the real ones, those of others distinguish files`()
    throws
  {
    var disk = VirtualDisk()
    let known = try disk.materialize(
      plan([.bytes(Array("Hello".utf8))], digests: [.md5, .sha256, .sha256, .crc32c]), at: "0/a",
      now: now)
    #expect(known.digests[.md5] == "8b1a9953c4611296a827abf8c47804d7")
    #expect(
      known.digests[.sha256] == "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969")
    var digests: Set<String> = []
    for (path, modified) in [("/a", 1), ("/b", 1), ("/a", 2)] as [(String, Int64)] {
      let file = FileValue(path: path, name: "x", size: 1 << 40, modified: modified)
      disk.add(file)
      let copy = try disk.materialize(
        plan([.file(file, offset: 0, length: file.size)], digests: [.sha256]), at: "0/b", now: now)
      digests.insert(copy.digests[.sha256] ?? "")
    }
    #expect(digests.count == 3 && digests.allSatisfy { $0.count == 64 })
  }

  @Test func `a sweep keeps held files`() throws {
    var disk = VirtualDisk()
    for path in ["0/a", "0/b", "1/c"] {
      _ = try disk.materialize(plan([.bytes([1])]), at: path, now: now)
    }
    let swept = disk.sweep(keeping: ["0/b"])
    #expect(swept == 2)
    #expect(disk.paths == ["0/b"] && disk.used == 1)
  }

  @Test func `the end of time does not trap`() throws {
    var disk = VirtualDisk(writeSpeed: 1)
    let far = Instant(milliseconds: .max)
    let file = try disk.materialize(plan([.bytes([1])]), at: "0/a", now: far)
    #expect(file.modified == .max)
    let huge = FileValue(path: "/h", name: "h", size: .max, modified: 0)
    #expect(disk.duration(of: plan([.file(huge, offset: 0, length: .max)])) > .seconds(1 << 40))
  }
}
