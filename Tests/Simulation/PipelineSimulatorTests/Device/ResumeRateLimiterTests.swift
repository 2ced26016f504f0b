import PipelineCore
import PipelineSimulator
import Testing

struct ResumeRateLimiterTests {
  private let start = Instant(milliseconds: 0)

  private func seconds(_ duration: Duration) -> Int64 { duration.milliseconds / 1000 }

  @Test func `RL1, RL2: the delay is zero, then 60 s, and doubles with each resume`() {
    var limiter = ResumeRateLimiter()
    var found: [Int64] = [seconds(limiter.delay(at: start))]
    for _ in 0..<5 {
      limiter.appResumed(at: start)
      found.append(seconds(limiter.delay(at: start)))
    }
    #expect(found == [0, 60, 120, 240, 480, 960])
  }

  @Test func `RL3: the app in front forgets the delay`() {
    var limiter = ResumeRateLimiter()
    for _ in 0..<9 { limiter.appResumed(at: start) }
    limiter.appCameToFront()
    #expect(limiter.delay(at: start) == .zero)
    limiter.appResumed(at: start)
    #expect(limiter.delay(at: start) == .seconds(60))
  }

  @Test func `RL4: iOS 8 delays the start of tasks from the background, and nothing else`() {
    var limiter = ResumeRateLimiter()
    limiter.appResumed(at: start)
    #expect(limiter.start(ofTaskCreatedAt: start, inBackground: true) == start + .seconds(60))
    #expect(limiter.start(ofTaskCreatedAt: start, inBackground: false) == start)
    #expect(limiter.resumption(forEventsAt: start) == start)
  }

  @Test func `RL4: iOS 7 delays the resume, and no start`() {
    var limiter = ResumeRateLimiter(.init(generation: .resumes))
    limiter.appResumed(at: start)
    #expect(limiter.start(ofTaskCreatedAt: start, inBackground: true) == start)
    #expect(limiter.resumption(forEventsAt: start) == start + .seconds(60))
  }

  @Test func `RL5: a challenge resumes the app at once, but on iOS 7`() {
    for (generation, wait) in [
      (ResumeRateLimiter.Generation.starts, Duration.zero), (.resumes, .seconds(60)),
    ] {
      var limiter = ResumeRateLimiter(.init(generation: generation))
      limiter.appResumed(at: start)
      #expect(limiter.resumption(forEventsAt: start) == start + wait)
    }
  }

  @Test func `RL6: a resume for a challenge doubles the delay too`() {
    var limiter = ResumeRateLimiter()
    limiter.appResumed(at: start)
    limiter.appResumed(at: limiter.resumption(forEventsAt: start))
    #expect(limiter.delay(at: start) == .seconds(120))
  }

  /// One chain of B batches, each of which lasts `work`; the waits that the limiter adds.
  private func addedWait(
    batches: Int, _ rules: ResumeRateLimiter.Rules, work: Duration = .seconds(3600)
  ) -> Duration {
    var limiter = ResumeRateLimiter(rules)
    var now = start
    var added = Duration.zero
    for batch in 1...batches {
      let begin = limiter.start(ofTaskCreatedAt: now, inBackground: batch > 1)
      added += begin - now
      now = begin + work
      let resumed = limiter.resumption(forEventsAt: now)
      added += resumed - now
      now = resumed
      limiter.appResumed(at: now)
    }
    return added
  }

  @Test(arguments: 2...15, ResumeRateLimiter.Generation.allCases)
  func `RL1: B batches wait 60·(2^(B−1) − 1) s`(
    batches: Int, generation: ResumeRateLimiter.Generation
  ) {
    let expected = Duration.seconds(60 * ((1 << (batches - 1)) - 1))
    #expect(addedWait(batches: batches, .init(generation: generation)) == expected)
  }

  @Test func `RL8: read literally, the delay of a chain never grows`() {
    let literal = ResumeRateLimiter.Rules(quietReset: 1)
    #expect(addedWait(batches: 15, literal) == .seconds(60 * 14))
  }

  @Test func `RL8: with a longer quiet time short batches still wait ever longer`() {
    let knob = ResumeRateLimiter.Rules(quietReset: 4)
    let short = addedWait(batches: 10, knob, work: .seconds(30))
    #expect(short == .seconds(60 * 511))
    #expect(addedWait(batches: 10, knob, work: .seconds(86400)) == .seconds(60 * 9))
  }

  @Test func `a delay never overflows`() {
    var limiter = ResumeRateLimiter()
    for _ in 0..<5000 { limiter.appResumed(at: start) }
    #expect(limiter.start(ofTaskCreatedAt: start, inBackground: true) > start)
  }
}
