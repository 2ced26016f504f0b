import Dispatch
import Synchronization

/// A language server on a stream that keeps reading while it checks documents.
///
/// The calling thread reads, applies changes and answers requests. Checks run on another thread, one at a time. The latest
/// change wins: a check starts after a pause in typing, and the outcome for a text that has changed since is not sent.
///
/// ```swift
/// let loop = LanguageServerLoop(version: "1.0", write: { output.append($0) })
/// let status = loop.run(read: { input.next() })
/// ```
public final class LanguageServerLoop: Sendable {
  private struct State {
    var frames = FrameReader()
    var server: LanguageServer
    var schedule = CheckSchedule()
    var isClosed = false
  }

  private let state: Mutex<State>
  private let checks = DispatchQueue(label: "pipeline.language-server.checks")
  private let write: @Sendable ([UInt8]) -> Bool

  /// Makes a server that reports its `version`, reads files through `files`, and links diagnostics to `pages`.
  ///
  /// `write` sends bytes, from one thread at a time, and returns whether the client still reads.
  public init(
    version: String, pages: RulePages? = nil,
    files: @escaping @Sendable (String) -> DocumentFiles = { _ in .none },
    write: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    state = Mutex(State(server: LanguageServer(version: version, pages: pages, files: files)))
    self.write = write
  }

  /// Reads and responds until the client sends `exit` or stops reading, or `read` returns no bytes.
  ///
  /// - Returns: The exit status; `nil` without `exit`.
  public func run<Failure: Error>(read: () throws(Failure) -> [UInt8]) throws(Failure) -> Int32? {
    while true {
      let bytes = try read()
      if bytes.isEmpty { return nil }
      receive(bytes)
      let (status, isClosed) = state.withLock { ($0.server.exitStatus, $0.isClosed) }
      if let status { return status }
      if isClosed { return nil }
    }
  }

  /// Receives the next bytes from the client, answers requests, and plans checks.
  public func receive(_ bytes: [UInt8]) {
    let due = state.withLock { state -> (change: Int, pause: Duration)? in
      state.frames.append(bytes)
      var messages: [Result<Message, ResponseFailure>] = []
      while let frame = state.frames.next() {
        messages.append(LanguageServerSession.message(in: frame))
      }
      let editions = state.server.editions
      send(state.server.answers(to: messages), &state)
      drop(state.server.takeDiscarded())
      guard state.server.hasChecks, editions != state.server.editions else { return nil }
      let pause = state.schedule.change()
      return (state.schedule.changes, pause)
    }
    guard let due else { return }
    checks.asyncAfter(deadline: .now() + due.pause.seconds) { [self] in check(due.change) }
  }

  private func drop(_ analyses: consuming [DocumentAnalysis]) {
    guard !analyses.isEmpty else { return }
    let last = Mutex(analyses)
    checks.async { last.withLock { $0 = [] } }
  }

  /// Checks changed documents, unless a later change waits for its own pause.
  private func check(_ change: Int) {
    let clock = ContinuousClock()
    let start = clock.now
    while let check = state.withLock({ state -> DocumentCheck? in
      let isOver = state.server.exitStatus != nil || state.isClosed
      return state.schedule.isDue(change) && !isOver ? state.server.nextCheck() : nil
    }) {
      let outcome = check.run()
      state.withLock { state in
        guard state.server.exitStatus == nil else { return }
        send(state.server.finish(outcome), &state)
        state.schedule.finish(clock.now - start)
      }
    }
  }

  private func send(_ messages: [Message], _ state: inout State) {
    guard !messages.isEmpty, !state.isClosed else { return }
    if !write(messages.flatMap { FrameReader.frame($0.bytes) }) { state.isClosed = true }
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

/// A language server connected to a stream of bytes, which checks documents at once: bytes in, bytes out.
///
/// ``LanguageServerLoop`` checks them while it reads on.
///
/// ```swift
/// var session = LanguageServerSession(version: "1.0")
/// output.append(session.receive(input.next()))
/// ```
public struct LanguageServerSession {
  private var frames = FrameReader()
  private var server: LanguageServer

  /// Makes a server that reports its `version`, reads files through `files`, and links diagnostics to `pages`.
  public init(
    version: String, pages: RulePages? = nil,
    files: @escaping @Sendable (String) -> DocumentFiles = { _ in .none }
  ) { server = LanguageServer(version: version, pages: pages, files: files) }

  /// The exit status, once the client has sent `exit`: 0 after `shutdown`, otherwise 1.
  public var exitStatus: Int32? { server.exitStatus }

  /// Receives the next bytes from the client, and returns the bytes to send to it.
  ///
  /// Of messages that arrive together, cancelled requests are not processed, and a changed text is checked once.
  public mutating func receive(_ bytes: some Collection<UInt8>) -> [UInt8] {
    frames.append(bytes)
    var messages: [Result<Message, ResponseFailure>] = []
    while let frame = frames.next() { messages.append(Self.message(in: frame)) }
    return server.receive(messages).flatMap { FrameReader.frame($0.bytes) }
  }

  static func message(in frame: FrameReader.Frame) -> Result<Message, ResponseFailure> {
    switch frame {
    case .body(let body): Result { () throws(ResponseFailure) in try Message(body) }
    case .broken(let reason): .failure(ResponseFailure(id: nil, error: .parseError(reason)))
    }
  }
}
