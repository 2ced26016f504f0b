import Foundation

/// Inputs that are drawn from seeds and tried in order.
///
/// `make test` tries a quarter of a fixed number of them, and `make explore` all. With `FUZZ_SECONDS` each suite continues for its share of that time, and `SEED`
/// sets the start. If the process ends or hangs, the seed and the current input are named.
public final class Fuzz {
  /// The result of a seed that was too slow.
  public struct TooSlow: Error, CustomStringConvertible {
    /// Which input it was, and its duration.
    public let description: String
  }

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
  }

  private let name: String
  private let first: UInt64
  private let stride: UInt64
  private let count: UInt64
  private let clock = ContinuousClock()
  private var spent: Double = 0
  private let deadline: ContinuousClock.Instant?
  private let slot: Int

  private var tried: UInt64 = 0
  private var began: ContinuousClock.Instant?
  private var slowest: (time: Duration, seed: UInt64) = (.zero, 0)

  /// The maximum time of one input; usual ones need a thousandth of it.
  private static let bound = Duration.seconds(10)

  private static let fraction: UInt64 = TestFiles.isThorough ? 1 : 4

  /// Starts with the first of `count` inputs of the suite `name`, whose `share` of `FUZZ_SECONDS` goes to `parts` tests, of
  /// which this is number `part`.
  public init(
    _ name: String, inputs count: UInt64, share: Double, part: UInt64 = 0, of parts: UInt64 = 1
  ) {
    self.name = name
    self.count = max(count / parts / Self.fraction, 1)
    stride = parts
    first = (Self.number("SEED") ?? 1) &+ part
    deadline = Self.number("FUZZ_SECONDS").map {
      ContinuousClock().now + .seconds(Double($0) * share / Double(parts))
    }
    slot = FuzzWatch.take()
    if deadline != nil { FuzzWatch.begin() }
  }

  deinit { FuzzWatch.give(back: slot) }

  /// The seed of the next input; `nil` when there have been enough, which is when the figures are printed.
  ///
  /// - Throws: ``TooSlow`` where the last input needed more than ten seconds of the processor's time,
  ///   where `FUZZ_SECONDS` is set.
  public func next() throws -> UInt64? {
    let now = clock.now
    let last = first &+ (tried &- 1) &* stride
    if let began {
      // In parallel with other programs, an input waits for its turn: only its processor time counts.
      let time = min(now - began, .seconds(ProcessorTime.ofProcess() - spent))
      slowest = max((time, last), slowest) { $0.time < $1.time }
      FuzzWatch.clear(slot)
      // In parallel with other tests, even that is meaningless.
      if deadline != nil, time > Self.bound {
        throw TooSlow(description: "\(name), seed \(last): took \(time)")
      }
    }
    guard deadline.map({ now < $0 }) ?? (tried < count) else {
      let step = stride > 1 ? " by \(stride)" : ""
      print(
        "fuzz: \(name): seeds \(first) to \(last)\(step), \(tried) inputs, "
          + "the slowest took \(slowest.time) (seed \(slowest.seed))")
      return nil
    }
    began = now
    spent = ProcessorTime.ofProcess()
    tried += 1
    return first &+ (tried - 1) &* stride
  }

  /// Notes the current input, to be printed should it be the last.
  public func trying(_ input: some CustomStringConvertible, seed: UInt64) {
    FuzzWatch.note("fuzz: \(name), seed \(seed), while this was tried:\n\(input)\n", slot)
  }
}

private func max<Element>(
  _ left: Element, _ right: Element, by isLess: (Element, Element) -> Bool
) -> Element {
  isLess(left, right) ? right : left
}

/// The current input, where a signal handler finds it, and a thread that ends a hanging process.
private enum FuzzWatch {
  struct Slot {
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    let stack = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    var count = 0
    var since: UInt64 = 0
    var isTaken = false
  }

  static let size = 65_536
  static let lock = NSLock()
  nonisolated(unsafe) static let slots: UnsafeMutableBufferPointer<Slot> = {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: 64)
    for index in slots.indices {
      slots.initializeElement(at: index, to: Slot())
    }
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        FuzzWatch.tell()
        signal(number, SIG_DFL)
        raise(number)
      }
      action.sa_flags = Int32(SA_ONSTACK)
      sigaction(number, &action, nil)
    }
    return slots
  }()

  private static let watcher: Void = Thread.detachNewThread { FuzzWatch.watch() }

  static func begin() { watcher }

  static func take() -> Int {
    lock.withLock {
      guard let free = slots.indices.first(where: { !slots[$0].isTaken }) else {
        preconditionFailure("more tests draw inputs at once than there are places")
      }
      slots[free].isTaken = true
      return free
    }
  }

  static func note(_ text: String, _ slot: Int) {
    var text = text
    text.withUTF8 { bytes in
      let count = min(bytes.count, size)
      if let start = bytes.baseAddress { slots[slot].text.update(from: start, count: count) }
      slots[slot].count = count
    }
    // An overflow of this thread's stack is reported on another.
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer(slots[slot].stack)
    stack.ss_size = size
    sigaltstack(&stack, nil)
    lock.withLock { slots[slot].since = DispatchTime.now().uptimeNanoseconds }
  }

  static func clear(_ slot: Int) {
    lock.withLock {
      slots[slot].count = 0
      slots[slot].since = 0
    }
  }

  static func give(back slot: Int) {
    clear(slot)
    lock.withLock { slots[slot].isTaken = false }
  }

  /// Prints the current input; calls nothing that a handler of signals may not.
  static func tell() {
    for slot in slots where slot.count > 0 { _ = write(STDERR_FILENO, slot.text, slot.count) }
  }

  /// Ends the process when an input has been tried for two minutes: nothing else can end what hangs.
  static func watch() {
    while true {
      sleep(5)
      let now = DispatchTime.now().uptimeNanoseconds
      let hangs = lock.withLock {
        slots.contains { $0.since > 0 && now > $0.since + 120_000_000_000 }
      }
      if hangs { abort() }
    }
  }
}
