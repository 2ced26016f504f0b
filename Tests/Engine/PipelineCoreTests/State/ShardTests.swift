import CEL
import PipelineCore
import Testing

struct ShardTests {
  @Test(arguments: [
    "", "3", "3/", "/3", "0/3", "4/3", "-1/3", "3/0", "+1/3", " 1/3", "1/3 ", "1/3/5", "a/b", "1,3",
    "1/1000001",
    "99999999999999999999/3", "１/3",
  ])
  func `malformed shard text is rejected`(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test func `a shard is read as it is written`() throws {
    for text in ["1/1", "3/16", "16/16", "1000000/1000000"] {
      #expect(Shard(text)?.description == text)
    }
  }

  @Test func `a lead is described, and no text that a user writes means one`() throws {
    let lead = try #require(Shard(stored: Shard.leadNumber, of: 16))
    #expect(lead.isLead && lead.description == "lead/16")
    #expect(Shard(stored: "lead/16") == lead && Shard("lead/16") == nil)
    #expect(Shard(stored: "3/16") == Shard(3, of: 16) && Shard(3, of: 16)?.isLead == false)
    for text in ["lead/0", "lead/", "lead/x", "lead/1/2", "leader/2", "0/16"] {
      #expect(Shard(stored: text) == nil, "\(text)")
    }
    #expect(Shard(stored: 3, of: 16) == Shard(3, of: 16))
    for (number, count) in [(0, 0), (-1, 2), (3, 2), (0, Shard.maximumCount + 1)] {
      #expect(Shard(stored: number, of: count) == nil, "\(number)/\(count)")
    }
    for number in 0..<100 { #expect(!lead.owns(.value(.int(Int64(number))))) }
  }

  // Computed with another program from the published FNV-1a and fmix64.
  @Test(arguments: [
    ("", 1, 7, 343), ("a", 2, 12, 316), ("foobar", 2, 12, 276), ("2026/IMG_0001.jpg", 1, 3, 259),
    ("\u{E4} b.jpg", 1, 15, 391), ("a\u{308} b.jpg", 1, 11, 979),
  ])
  func `a key belongs to the same shard on every machine`(
    key: String, ofTwo: Int, ofSixteen: Int, ofThousand: Int
  ) {
    #expect(Shard.number(of: key, count: 1) == 1)
    #expect(Shard.number(of: key, count: 2) == ofTwo)
    #expect(Shard.number(of: key, count: 16) == ofSixteen)
    #expect(Shard.number(of: key, count: 1000) == ofThousand)
  }

  @Test(arguments: [2, 3, 10, 16, 100])
  func `shards are about equally large`(count: Int) throws {
    var sizes = Array(repeating: 0, count: count)
    for number in 0..<100_000 {
      sizes[Shard.number(of: "2026/IMG_\(number).jpg", count: count) - 1] += 1
    }
    let mean = 100_000 / count
    let (least, most) = (try #require(sizes.min()), try #require(sizes.max()))
    #expect(least > mean * 85 / 100 && most < mean * 115 / 100, "\(least) to \(most) of \(mean)")
  }

  @Test func `a file belongs by its place in the folder, wherever that is mounted`() throws {
    func file(_ path: String) -> Item.Subject {
      .file(FileValue(path: path, name: "x.jpg", relative: "a/x.jpg", size: 1, modified: 2))
    }
    let (one, two) = (file("/mnt/one/a/x.jpg"), file("/srv/a/x.jpg"))
    #expect(one.shardKey == "a/x.jpg" && two.shardKey == "a/x.jpg")
    for number in 1...16 {
      let shard = try #require(Shard(number, of: 16))
      #expect(shard.owns(one) == shard.owns(two))
    }
  }

  @Test func `a group is assigned by its key, so that it stays whole`() {
    let group = MapValue([("key", Value.string("Alps")), ("items", .list([]))])
    #expect(Item.Subject.value(.map(group)).shardKey == "Alps")
    #expect(Item.Subject.value(.string("b")).shardKey == "b")
    #expect(Item.Subject.value(.int(7)).shardKey == "7")
  }
}
