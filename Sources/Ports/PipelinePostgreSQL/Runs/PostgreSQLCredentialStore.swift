/// Sign-ins in a database, which all its workers share.
///
/// A sign-in is held by a row's `holder` for a limited time by the server's clock, since a connection is not kept for it: an exchange is
/// interrupted well before that.
public struct PostgreSQLCredentialStore: CredentialStore {
  private let runs: PostgreSQLRuns
  private let sealer: any SecretSealer
  /// How long a sign-in is held, and after which time its exchange is interrupted.
  private static let (held, used): (Duration, Duration) = (.seconds(180), .seconds(120))

  /// The sign-ins in the database that has the runs.
  public init(_ runs: PostgreSQLRuns, sealer: any SecretSealer) {
    (self.runs, self.sealer) = (runs, sealer)
  }

  /// See ``/PipelineEngine/CredentialStore``.
  public func withCredential(
    _ id: CredentialID,
    _ exchange: @escaping @Sendable (StoredCredential?) async -> (StoredCredential?, Verdict)
  ) async throws(CredentialFailure) -> Verdict {
    let holder = String(UInt64.random(in: 0 ... .max), radix: 36)
    var asked = ContinuousClock.now
    var row: String?? = try await take(id, holder)
    while row == nil {
      do { try await Task.sleep(for: .milliseconds(200)) } catch { throw .interruption }
      asked = .now
      row = try await take(id, holder)
    }
    let stored: StoredCredential?
    do throws(CredentialFailure) {
      stored = try row?.map { text throws(CredentialFailure) in
        try StoredCredential(sealed: text, by: sealer, for: id)
      }
    } catch {
      try await giveBack(id, holder, nil)
      throw error
    }
    let end = asked + Self.used
    let (changed, verdict) = await withTaskGroup(of: (StoredCredential?, Verdict)?.self) { group in
      group.addTask { await exchange(stored) }
      group.addTask {
        try? await Task.sleep(until: end)
        return nil
      }
      defer { group.cancelAll() }
      while let result = await group.next() {
        guard let result else {
          group.cancelAll()
          continue
        }
        return result
      }
      return (nil, .interrupted)
    }
    try await giveBack(id, holder, changed?.sealed(by: sealer, for: id))
    return verdict
  }

  /// Holds the sign-in; returns `nil` if another worker does, otherwise the stored sign-in, or `nil`.
  private func take(_ id: CredentialID, _ holder: String) async throws(CredentialFailure)
    -> String??
  {
    try await perform { session in
      let rows = try session.query(
        Schema.statements["hold_credential"],
        Self.key(id) + [.text(holder), .integer(Self.held.milliseconds)])
      return rows.count == 1 ? .some(try rows.optionalText(0, 0)) : nil
    }
  }

  /// Stores the change, and releases the sign-in for others.
  private func giveBack(_ id: CredentialID, _ holder: String, _ sealed: String?)
    async throws(CredentialFailure)
  {
    let isOurs = try await perform { session in
      try session.query(
        Schema.statements["release_credential"], Self.key(id) + [.text(holder), .text(sealed)]
      ).changed == 1
    }
    guard isOurs || sealed == nil else {
      throw CredentialFailure(message: "another worker used it before the new token was stored")
    }
  }

  private func perform<Answer: Sendable>(_ body: @escaping @Sendable (Session) throws -> Answer)
    async throws(CredentialFailure) -> Answer
  {
    do throws(StoreFailure) { return try await runs.connection.perform(repeats: true, body) } catch
    { throw CredentialFailure(message: error.message) }
  }

  private static func key(_ id: CredentialID) -> [Parameter] {
    [.text(id.tokenURL), .text(id.client), .text(id.origin)]
  }
}

extension PostgreSQLRuns {
  /// The sign-ins that workers share, with when they were last changed (ISO 8601).
  public func credentials() async throws(StoreFailure) -> [(id: CredentialID, stored: String)] {
    try await connection.perform(repeats: true) { session in
      let rows = try session.query(Schema.statements["credentials"])
      return try (0..<rows.count).map { row in
        (
          CredentialID(
            tokenURL: try rows.text(row, 0), client: try rows.text(row, 1),
            origin: try rows.text(row, 2)), try rows.text(row, 3)
        )
      }
    }
  }

  /// Removes a sign-in that no worker uses at the moment; returns whether it was there and free.
  public func remove(_ id: CredentialID) async throws(StoreFailure) -> Bool {
    try await connection.perform(repeats: true) { session in
      try session.query(
        Schema.statements["remove_credential"],
        [.text(id.tokenURL), .text(id.client), .text(id.origin)]
      ).changed == 1
    }
  }
}
