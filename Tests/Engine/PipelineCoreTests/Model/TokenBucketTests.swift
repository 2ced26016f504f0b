import Basics
@testable import PipelineCore
import Testing

/// The arithmetic of rates.
struct TokenBucketTests {
  /// The moments at which as many requests as possible are sent, each as soon as it may.
  private func moments(_ rate: Rate, _ count: Int, from start: Int64 = 0) -> [Int64] {
    var bucket: TokenBucket?
    var now = Instant(milliseconds: start)
    return (0..<count).map { _ in
      if let next = bucket?.next(rate) { now = max(now, next) }
      bucket = (bucket ?? TokenBucket(full: now)).taken(rate, at: now)
      return now.milliseconds
    }
  }

  @Test func `requests are evenly spaced, and each period has the rate's number`() {
    let rate = Rate(name: "a", requests: 6, period: .seconds(60))
    #expect(moments(rate, 8) == [0, 10000, 20000, 30000, 40000, 50000, 60000, 70000])
  }

  @Test func `a period that cannot be divided does not drift`() {
    let rate = Rate(name: "a", requests: 7, period: .seconds(1))
    // 1000 / 7 is a fraction; a part of a millisecond is waited for, and never twice.
    #expect(moments(rate, 8) == [0, 143, 286, 429, 572, 715, 858, 1000])
    #expect(moments(rate, 700_001).last == 100_000_000)
  }

  @Test func `a burst is sent at once, and deducted from later requests`() {
    let rate = Rate(name: "a", requests: 6, period: .seconds(60), burst: 3)
    #expect(moments(rate, 7) == [0, 0, 0, 15000, 30000, 45000, 60000])
    let whole = Rate(name: "a", requests: 3, period: .seconds(60), burst: 3)
    #expect(moments(whole, 5) == [0, 0, 0, 60000, 120_000])
  }

  @Test func `an unused bucket fills up to its burst and no further`() {
    let rate = Rate(name: "a", requests: 6, period: .seconds(60), burst: 2)
    let bucket = TokenBucket(full: Instant(milliseconds: 0))
    let late = Instant(milliseconds: 1_000_000)
    let one = bucket.taken(rate, at: late)
    let two = one.taken(rate, at: late)
    #expect(one.next(rate) <= late)
    #expect(two.next(rate) == late + .seconds(12))
  }

  @Test(arguments: 0..<50)
  func `no time span of the period has more requests than the rate allows`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let requests = Int(1 + random.next() % 9)
    let rate = Rate(
      name: "a", requests: requests, period: .milliseconds(Int64(1 + random.next() % 5000)),
      burst: Int(1 + random.next() % UInt64(requests)))
    var bucket = TokenBucket(full: Instant(milliseconds: 0))
    var now = Instant(milliseconds: 0)
    var sent: [Int64] = []
    for _ in 0..<400 {
      // Sometimes as soon as possible, sometimes later.
      if random.next() % 3 == 0 { now = now + .milliseconds(Int64(random.next() % 3000)) }
      now = max(now, bucket.next(rate))
      bucket = bucket.taken(rate, at: now)
      sent.append(now.milliseconds)
    }
    for index in sent.indices.dropFirst(requests) {
      #expect(sent[index] - sent[index - requests] >= rate.period.milliseconds)
    }
  }

  @Test func `a bucket that was stored before the clock was set back does not extend any wait`() {
    let rate = Rate(name: "a", requests: 6, period: .seconds(60), burst: 3)
    let now = Instant(milliseconds: 1000)
    let stored = TokenBucket(full: Instant(milliseconds: .max), rest: .max)
    #expect(stored.checked(rate, at: now).next(rate) <= now + .milliseconds(15001))
    let fresh = TokenBucket(full: now + .seconds(20), rest: 2)
    #expect(fresh.checked(rate, at: now) == fresh)
    #expect(
      TokenBucket(full: now, rest: -5).checked(rate, at: now) == TokenBucket(full: now, rest: 0))
  }

  @Test func `shards share a burst`() {
    let rate = Rate(name: "a", requests: 100, period: .seconds(60), burst: 10)
    #expect([1, 4, 20].map { rate.share(of: $0).burst } == [10, 2, 1])
    #expect([1, 4, 20].map { rate.share(of: $0).requests } == [100, 25, 5])
  }

  @Test func `a longest rate of most senders is far from overflow`() {
    let rate = Rate(
      name: "a", requests: Rate.maximumRequests, period: Rate.maximumPeriod,
      burst: Rate.maximumRequests)
    let now = Instant(milliseconds: 1000)
    let (few, many) = (rate.share(of: 2), rate.share(of: 1_000_000))
    for (new, old) in [(few, many), (many, few)] {
      let bucket = TokenBucket.empty(old, at: now).paced(new, after: old, at: now)
      #expect(bucket.full > now && bucket.full <= TokenBucket.empty(new, at: now).full)
    }
  }

  @Test func `a rate is written the way users write it`() {
    #expect(Rate(name: "a", requests: 6, period: .seconds(60)).words == "6 requests per minute")
    #expect(Rate(name: "a", requests: 1, period: .seconds(900)).words == "1 request per 15 min")
    #expect(
      Rate(name: "a", requests: 9, period: .milliseconds(1500)).words == "9 requests per 1500 ms")
  }
}
