import Dispatch

/// Runs work on one session in order, on its own queue, and connects again when the session was lost; the session is used nowhere else.
final class Connection: @unchecked Sendable {
  private let queue = DispatchQueue(label: "pipeline.store.postgresql")
  private let address, schema: String
  private let patience: Duration
  private var session: Session?
  private var isClosed = false
  private var listening: (any DispatchSourceRead)?
  /// Where the server is, once this process has reached it, so that it may come back.
  private var place: String?

  init(address: String, schema: String, patience: Duration, place: String? = nil) {
    (self.address, self.schema, self.patience, self.place) = (address, schema, patience, place)
  }

  /// Runs `body`; again, on a new session if need be, if the server was lost or did not confirm, and `body` `repeats` without harm.
  func perform<Answer: Sendable>(
    repeats: Bool, _ body: @escaping @Sendable (Session) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    let result: Result<Answer, StoreFailure> = await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          returning: Result { () throws(StoreFailure) in
            do {
              return try attempts(repeats, body)
            } catch { throw StoreFailure(error, place: place ?? "the PostgreSQL server") }
          })
      }
    }
    return try result.get()
  }

  /// Runs `body` in a transaction.
  func transaction<Answer: Sendable>(
    repeats: Bool, _ isolation: String = "READ COMMITTED",
    _ body: @escaping @Sendable (Session) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    try await perform(repeats: repeats) { session in
      try session.transaction(isolation) { try body(session) }
    }
  }

  /// Runs `body` on one snapshot.
  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    try await transaction(repeats: true, "REPEATABLE READ READ ONLY", body)
  }

  private func attempts<Answer>(_ repeats: Bool, _ body: (Session) throws -> Answer) throws
    -> Answer
  {
    guard !isClosed else {
      throw StoreFailure(
        .system, message: "the store at \(place ?? "the PostgreSQL server") is closed")
    }
    let end = ContinuousClock.now + patience
    var pause = 50
    while true {
      let wasReached = place != nil
      do {
        return try attempt(body)
      } catch {
        guard let problem = error as? PostgreSQLError, problem.isPassing(session)
        else { throw error }
        if problem.needsNewSession(session) { session = nil }
        guard repeats, wasReached, ContinuousClock.now < end else { throw error }
        // The queue is this connection's own, so no other work waits for it.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(pause))
        pause = min(pause * 2, 1000)
      }
    }
  }

  private func attempt<Answer>(_ body: (Session) throws -> Answer) throws -> Answer {
    let session = try connected()
    let answer = try body(session)
    guard !session.takeReplicationUnknown() else { throw PostgreSQLError.unconfirmed }
    return answer
  }

  private func connected() throws -> Session {
    if let session { return session }
    let new = try Session(try LibPQ.loaded.get(), address: address, schema: schema)
    place = new.place
    session = new
    return new
  }

  /// Passes on the messages of the channel with the schema's name until the session is lost.
  ///
  /// - Returns: Whether it does: a pooler passes none on.
  func listen(_ receive: @escaping @Sendable (String) -> Void) async -> Bool {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(returning: (try? isListening(receive)) ?? false)
      }
    }
  }

  private func isListening(_ receive: @escaping @Sendable (String) -> Void) throws -> Bool {
    if let session, !session.isLost, listening != nil || session.isPooled {
      return listening != nil
    }
    forget()
    guard !isClosed else { return false }
    let session = try connected()
    guard !session.isPooled else { return false }
    try session.run("LISTEN \(Session.quoted(schema))")
    let source = DispatchSource.makeReadSource(fileDescriptor: session.socket, queue: queue)
    // The handler keeps the session, and so its descriptor, until the source is cancelled.
    source.setEventHandler { [weak self] in
      session.messages().forEach(receive)
      if session.isLost { self?.forget() }
    }
    source.activate()
    listening = source
    return true
  }

  private func forget() {
    listening?.cancel()
    (listening, session) = (nil, nil)
  }

  func close() async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        forget()
        isClosed = true
        continuation.resume()
      }
    }
  }
}

extension PostgreSQLError {
  /// A commit that is only on one server's disk: it may still be lost.
  static let unconfirmed = PostgreSQLError(
    state: unconfirmedState,
    message: "the standby did not confirm a commit, which would be lost if the server failed now")
  static let unconfirmedState = "PL004"
  static let staleOwner = PostgreSQLError(state: Schema.State.stale, message: "stale owner")

  /// The server starts, stops or is a standby (57P, 25006), the connection broke (08), another transaction was in the way (40, 53300), or the user must free space (53100) or
  /// grant rights again (42501, 28000).
  fileprivate func isPassing(_ session: Session?) -> Bool {
    state.isEmpty || session?.isLost == true || needsOther
      || ["28000", "40001", "40P01", "42501", "53100", "53300", Self.unconfirmedState].contains(
        state)
  }

  fileprivate func needsNewSession(_ session: Session?) -> Bool {
    session?.isLost == true || needsOther
  }

  private var needsOther: Bool {
    state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
  }
}
