/// When a transfer at the service asks for a new request before it continues: the key `renew`.
///
/// The transfer stays in progress: it is neither cancelled nor handed over again.
public enum Renewal: String, Hashable, Sendable, CaseIterable {
  /// A challenge refused its authorization (401, RFC 9110 §11.6.1); it continues with another one.
  case challenge
  /// It is about to start after its earliest time (TX14), and continues with another URL and headers.
  case begin
}

/// The reply to a transfer that asked.
public enum RenewalDecision: Hashable, Sendable {
  /// Its `Authorization`, evaluated on these values.
  case authorization(Scope)
  /// Its URL and headers, evaluated on these values.
  case request(Scope)
  /// Nothing better is available, so it continues unchanged. A challenge is then a response like any other.
  case unchanged
}
