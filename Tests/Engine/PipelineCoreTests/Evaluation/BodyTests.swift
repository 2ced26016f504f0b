import Testing

@testable import PipelineCore

/// Bodies as stretches of bytes and files.
struct BodyTests {
  private let file = FileValue(path: "/f", name: "f", size: 10, modified: 1)

  @Test func `a slice holds the stretches of its range`() {
    let body = Body([.bytes([1, 2, 3]), .file(file, offset: 2, length: 5), .bytes([4])])
    #expect(body.size == 9)
    #expect(body.slice(from: 0, length: 9) == body)
    #expect(
      body.slice(from: 2, length: 4).pieces == [.bytes([3]), .file(file, offset: 2, length: 3)])
    #expect(
      body.slice(from: 5, length: 100).pieces == [.file(file, offset: 4, length: 3), .bytes([4])])
    #expect(body.slice(from: 9, length: 1).pieces.isEmpty)
    #expect(body.slice(from: 3, length: 0).pieces.isEmpty)
  }

  @Test func `a file is a body of one stretch`() {
    #expect(Body(file).pieces == [.file(file, offset: 0, length: 10)])
  }
}
