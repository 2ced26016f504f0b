/// Why an exchange ended without an answer, where no library says it.
enum ExchangeFailure: Error {
  /// The task was cancelled.
  case interrupted
  /// The time of the request was over.
  case deadlineExceeded
  /// No connection was made in time.
  case connectTimeout
  /// The resolver did not answer in time.
  case resolverTimeout
  /// A kept connection was of no use before anything was sent.
  case connectionNotUsed
  /// The connection ended before the answer did.
  case connectionLost
  /// The connection ended after the answer, before the server had the whole body.
  case closedBeforeBody
  /// Something came that nobody had asked for, so that the answer may be one to an earlier request.
  case unsolicitedData
  /// The body is larger than the limit; the size where the head tells it, else what has come so far.
  case responseTooLarge(Int64)
  /// The file that is taken in cannot be written, or is not the expected one.
  case sinkFailed
  /// Nothing has moved for so long.
  case stalled(Duration)
  /// The request must not go there; the reason is for people.
  case notAllowed(String)
  /// The body file is not what it was.
  case fileChanged(String)
  /// The body file cannot be read.
  case fileUnreadable(String)
  /// No descriptor is left to open the body file with.
  case noDescriptor
}
