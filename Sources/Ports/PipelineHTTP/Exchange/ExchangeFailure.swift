/// Why an exchange ended without a response, if no library reports it.
enum ExchangeFailure: Error {
  case interrupted, deadlineExceeded, connectTimeout, resolverTimeout
  /// A kept connection was unusable before anything was sent.
  case connectionNotUsed
  case connectionLost
  /// A kept connection was closed after the request was sent, and before a byte of the response.
  case connectionWasStale
  /// The connection ended after the response, before the server had the whole body.
  case closedBeforeBody
  /// Unrequested data arrived, so the response may belong to an earlier request.
  case unsolicitedData
  /// The body is larger than the limit; the size from the head if present, otherwise the bytes so far.
  case responseTooLarge(Int64)
  case sinkFailed
  case stalled(Duration)
  /// The whole request was sent, and no response arrived in time.
  case responseOverdue(Duration)
  /// The request must not be sent there; the reason is for the user.
  case notAllowed(String)
  case fileChanged(String)
  case fileUnreadable(String)
  case noDescriptor
}
