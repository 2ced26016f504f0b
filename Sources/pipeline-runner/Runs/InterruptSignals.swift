import Dispatch
import PipelineCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C and `kill`: the first requests a stop after a checkpoint, the second ends the process
/// immediately.
final class InterruptSignals: @unchecked Sendable {
  /// Those of this process: a second set would take the signals from the first.
  static let process = InterruptSignals()

  private let queue = DispatchQueue(label: "pipeline.signals")
  private var sources: [any DispatchSourceSignal] = []
  private var count = 0

  private var action: (@Sendable () -> Void)?

  private init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in
        guard let self else { return }
        self.count += 1
        if self.count > 1 { _exit(ExitStatus.interrupted.rawValue) }
        self.action?()
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Prints what the first signal does; immediately if the signal has already arrived.
  func onFirst(_ action: @escaping @Sendable () -> Void) {
    queue.sync {
      self.action = action
      if count > 0 { action() }
    }
  }

  var wasInterrupted: Bool { queue.sync { count > 0 } }
}
