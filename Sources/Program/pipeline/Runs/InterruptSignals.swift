import Dispatch

/// Ctrl-C, `kill` and the end of the terminal: the first asks for a stop after a checkpoint, the second ends the process.
final class InterruptSignals: @unchecked Sendable {
  /// Those of this process: a second set would receive the first one's signals.
  static let process = InterruptSignals()
  private let queue = DispatchQueue(label: "pipeline.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var count = 0
  private var action, last: (@Sendable () -> Void)?

  private init() {
    let registered = DispatchSemaphore(value: 0)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let isIgnored = Self.isIgnored(number)
      signal(number, SIG_IGN)
      // `nohup` and shells that start something in the background ask for that.
      if number == SIGHUP, isIgnored { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in
        guard let self else { return }
        self.count += 1
        if self.count > 1 {
          self.last?()
          Self.end()
        }
        self.action?()
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      sources.append(source)
    }
    // A signal that comes before its source is registered would be ignored.
    for _ in sources { registered.wait() }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Prints the effect of the first signal; immediately if the signal has already arrived.
  func onFirst(_ action: @escaping @Sendable () -> Void) {
    queue.sync {
      self.action = action
      if count > 0 { action() }
    }
  }

  static func end() -> Never { _exit(ExitStatus.interrupted.rawValue) }
  /// Defines the action before the second signal ends the process; other signals wait for it.
  func onSecond(_ action: @escaping @Sendable () -> Void) { queue.sync { last = action } }

  var wasInterrupted: Bool { queue.sync { count > 0 } }
}
