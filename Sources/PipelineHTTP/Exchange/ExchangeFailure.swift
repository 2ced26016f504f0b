/// Why an exchange ended without a response, if no library reports it.
enum ExchangeFailure: Error {
  /// The task was cancelled.
  case interrupted
  /// The request timed out.
  case deadlineExceeded
  /// No connection was established in time.
  case connectTimeout
  /// The resolver did not respond in time.
  case resolverTimeout
  /// A kept connection was unusable before anything was sent.
  case connectionNotUsed
  /// The connection ended before the response did.
  case connectionLost
  /// The connection ended after the response, before the server had the whole body.
  case closedBeforeBody
  /// Unrequested data arrived, so the response may belong to an earlier request.
  case unsolicitedData
  /// The body is larger than the limit; the size from the head if given, otherwise the bytes so far.
  case responseTooLarge(Int64)
  /// The downloaded file cannot be written, or is not the expected one.
  case sinkFailed
  /// No progress for this long.
  case stalled(Duration)
  /// The request must not be sent there; the reason is for people.
  case notAllowed(String)
  /// The body file has changed.
  case fileChanged(String)
  /// The body file cannot be read.
  case fileUnreadable(String)
  /// No file descriptor is left to open the body file with.
  case noDescriptor
}
