import Testing

@testable import PipelineCore

/// Equality includes everything that decides what happens next, because the compiler derives it.
struct DerivedEqualityTests {
  private let first = ItemKey(loop: 0, ordinal: 0)
  private let second = ItemKey(loop: 0, ordinal: 1)

  @Test func `queues are equal only if a frame that is being served keeps its place in both`() {
    var other = RateQueue()
    other.enqueue(second, [0], lacking: 0)
    var queue = RateQueue()
    queue.enqueue(first, [0], lacking: 0)
    queue.enqueue(second, [0], lacking: 0)
    queue.remove(first, keepsPlace: true)
    #expect(queue.entries == other.entries)
    #expect(queue != other)
    queue.enqueue(first, [0], lacking: 0)
    other.enqueue(first, [0], lacking: 0)
    #expect(queue.frames == [first, second])
    #expect(other.frames == [second, first])
  }

  @Test func `a frame that was served gets a new place`() {
    var queue = RateQueue()
    queue.enqueue(first, [0], lacking: 0)
    queue.enqueue(second, [0], lacking: 0)
    queue.remove(first, keepsPlace: true)
    queue.forget(first)
    queue.enqueue(first, [0], lacking: 0)
    #expect(queue.frames == [second, first])
  }

  @Test func `parts start in order, and one whose row was lost is found`() {
    var parts = PartsState(count: 3)
    #expect(parts.next == 0)
    parts.active[0] = []
    #expect(parts.next == 1)
    parts.conclude(0, [])
    #expect(parts.next == 1)
    #expect(PartsState(count: 3, active: [1: [], 2: []]).next == 0)
    #expect(PartsState(count: 1, active: [0: []]).next == nil)
  }

  @Test func `a file is equal to another with the same facts, wherever it was made`() {
    let file = FileValue(path: "/a/b", name: "b", size: 1, modified: 2)
    #expect(file == FileValue(path: "/a/b", name: "b", relative: "b", size: 1, modified: 2))
    #expect(file != file.with(modified: 3))
    #expect(file != file.with(relative: "a/b"))
  }
}
