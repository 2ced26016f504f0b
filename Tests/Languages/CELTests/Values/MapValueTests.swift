import CEL
import Testing

struct MapValueTests {
  @Test func `a key of a kind that cannot be one is refused`() {
    var map = MapValue()
    #expect(adds(1, for: 1.5, to: &map) == false)
    #expect(adds(1, for: .null, to: &map) == false)
    #expect(adds(1, for: [1], to: &map) == false)
    #expect(map.isEmpty)
  }

  @Test func `a key that already exists is refused, for any kind of number`() {
    var map = MapValue()
    #expect(adds("a", for: 1, to: &map) == true)
    #expect(adds("b", for: .uint(1), to: &map) == false)
    #expect(map[.uint(1)] == "a")
    #expect(map[1.0] == "a")
    #expect(map[1.5] == nil)
    #expect(adds("c", for: .uint(.max), to: &map) == true)
    #expect(map[.uint(.max)] == "c")
  }

  /// A macro cannot call what changes its receiver.
  private func adds(_ value: Value, for key: Value, to map: inout MapValue) -> Bool {
    map.insert(value, for: key)
  }

  @Test(arguments: [3, 8, 9, 10, 1000])
  func `entries keep their order and are found`(_ count: Int) {
    var map = MapValue()
    for number in 0..<count { map["key\(number)"] = .int(Int64(number)) }
    #expect(map.count == count)
    #expect(map.keys.map { $0 } == (0..<count).map { .string("key\($0)") })
    for number in 0..<count { #expect(map["key\(number)"] == .int(Int64(number))) }
    map["key1"] = nil
    #expect(map.count == count - 1)
    #expect(map["key1"] == nil)
    #expect(map["key2"] == 2)
  }

  @Test func `a copy is independent`() {
    let original: MapValue = ["a": 1]
    var copy = original
    copy["a"] = 2
    copy["b"] = 3
    #expect(original["a"] == 1)
    #expect(original.count == 1)
    #expect(copy == ["b": 3, "a": 2])
  }

  @Test func `of a repeated key the last value stays in the first place`() {
    let map = MapValue([("a", 1), ("b", 2), ("a", 3)])
    #expect(map.map { $0.value } == [3, 2])
  }
}
