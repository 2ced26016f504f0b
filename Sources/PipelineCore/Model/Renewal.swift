/// When a transfer that is with the service asks for its request anew before it goes on: the key
/// `renew`.
///
/// The transfer stays alive meanwhile: it is neither cancelled nor handed over again.
public enum Renewal: String, Hashable, Sendable, CaseIterable {
  /// The server refused its authorization with a challenge: 401 with `WWW-Authenticate` (RFC 9110
  /// §11.6.1).
  ///
  /// The transfer goes on with another `Authorization`.
  case challenge
  /// It waited for its earliest moment and is about to begin (TX14).
  ///
  /// The transfer goes on with another URL and other headers.
  case begin
}

/// What a transfer that asked is answered.
public enum RenewalDecision: Hashable, Sendable {
  /// Its `Authorization`, evaluated on these values.
  case authorization(Scope)
  /// Its URL and headers, evaluated on these values.
  case request(Scope)
  /// Nothing better can be had: it goes on as it was. Then a challenge is an answer like any other.
  case unchanged
}
