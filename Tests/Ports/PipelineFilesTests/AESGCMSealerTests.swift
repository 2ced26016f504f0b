import PipelineFiles
import Testing

struct AESGCMSealerTests {
  private static let key = Array("correct horse battery staple".utf8)

  @Test func `sealed text is opened with the same key and context, and with nothing else`() throws {
    let sealer = try #require(AESGCMSealer(key: Self.key))
    let text = sealer.seal([1, 2, 3], context: "sign_in/0")
    #expect(sealer.open(text, context: "sign_in/0") == [1, 2, 3])
    #expect(sealer.open(text, context: "sign_in/1") == nil)
    let other = try #require(AESGCMSealer(key: Array("another key of the same length".utf8)))
    #expect(other.open(text, context: "sign_in/0") == nil)
    for bad in ["", "1.", "2." + text.dropFirst(2), String(text.dropLast(5)), "1.AAAA"] {
      #expect(sealer.open(bad, context: "sign_in/0") == nil, "\(bad)")
    }
    var changed = Array(text)
    changed[10] = changed[10] == "A" ? "B" : "A"
    #expect(sealer.open(String(changed), context: "sign_in/0") == nil)
  }

  @Test func `the same value is sealed differently each time`() throws {
    let sealer = try #require(AESGCMSealer(key: Self.key))
    #expect(Set((0..<20).map { _ in sealer.seal([7], context: "a") }).count == 20)
    #expect(sealer.open(sealer.seal([], context: "a"), context: "a") == [])
  }

  @Test func `after a change both keys open, and the new one seals`() throws {
    let old = try #require(AESGCMSealer(key: Self.key))
    let new = Array("a new key, long enough".utf8)
    let both = try #require(AESGCMSealer(key: new, earlier: Self.key))
    #expect(both.open(old.seal([1], context: "a"), context: "a") == [1])
    let text = both.seal([2], context: "a")
    #expect(old.open(text, context: "a") == nil)
    #expect(AESGCMSealer(key: new)?.open(text, context: "a") == [2])
  }

  @Test func `a text that is too short is refused as a key`() {
    #expect(AESGCMSealer(key: Array("fifteen letters".utf8)) == nil)
    #expect(AESGCMSealer(key: []) == nil)
  }
}
