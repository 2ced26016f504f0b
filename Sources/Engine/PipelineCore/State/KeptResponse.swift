/// A server's response to a failed request: the start of its body, and the names by which it identifies the request.
///
/// Secrets are removed and control characters escaped. A class, so that a failure without one stays small.
public final class KeptResponse: Hashable, Sendable, Codable {
  /// Most bytes of a body that are kept.
  public static let longestBody = 2048
  /// Most request ids that are kept, and most characters of each.
  static let mostIDs = 8
  static let longestID = 256
  /// The start of the body, in at most ``longestBody`` bytes of UTF-8; empty if it is not text, or must not be kept.
  public let body: String
  /// Size of the whole body in bytes, before anything was removed.
  public let bodyBytes: Int
  /// The headers that name the request for the server's operator, in their order.
  public let requestIDs: [Response.Header]

  /// Describes a server's response.
  public init(body: String, bodyBytes: Int, requestIDs: [Response.Header]) {
    (self.body, self.bodyBytes, self.requestIDs) = (body, bodyBytes, requestIDs)
  }

  /// Whether both are equal.
  public static func == (left: KeptResponse, right: KeptResponse) -> Bool {
    left === right
      || left.body == right.body && left.bodyBytes == right.bodyBytes
        && left.requestIDs == right.requestIDs
  }

  /// Hashes its content.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(body)
    hasher.combine(bodyBytes)
    hasher.combine(requestIDs)
  }

  /// Whether a header names a request for those who look for it in the server's log: `X-Request-Id`, `x-amz-request-id`,
  /// `x-amz-id-2`, `x-amzn-RequestId`, `x-ms-request-id`, `X-Correlation-Id`, `X-Cloud-Trace-Context`, `traceparent`, `CF-Ray`.
  ///
  /// The ID of an upload does not count: it may be all that is needed to write to it.
  public static func isRequestID(_ name: String) -> Bool {
    let name = name.lowercased()
    let words = name.split(separator: "-")
    guard let last = words.last else { return false }
    switch last {
    case "ray", "trace", "traceid", "requestid", "traceparent", "traceresponse": return true
    case "id":
      return words.dropLast().contains { ["request", "trace", "correlation", "cf"].contains($0) }
    case "2": return name.hasSuffix("-id-2")
    case "context": return words.contains("trace")
    default: return false
    }
  }
}

extension Failure {
  func saying(_ message: String) -> Failure { saying(message, lacking: lacking) }

  func saying(_ message: String, lacking: Lack?) -> Failure {
    Failure(message, status: status, lacking: lacking, response: response, duration: duration)
  }

  func answered(_ response: KeptResponse) -> Failure {
    self.response != nil
      ? self
      : Failure(message, status: status, lacking: lacking, response: response, duration: duration)
  }

  func lasting(_ duration: Duration) -> Failure {
    Failure(message, status: status, lacking: lacking, response: response, duration: duration)
  }
}

extension Verdict {
  /// The same verdict, with the server's response in each failure.
  package func answered(_ response: KeptResponse) -> Verdict {
    guard case .results(let result, let verdicts) = self
    else { return changing { $0.answered(response) } }
    guard !response.requestIDs.isEmpty else { return self }
    let name = KeptResponse(
      body: "", bodyBytes: response.bodyBytes, requestIDs: response.requestIDs)
    return .results(result, verdicts.map { $0.answered(name) })
  }

  /// The same verdict, with the duration of the attempt in each failure.
  package func lasting(_ duration: Duration) -> Verdict { changing { $0.lasting(duration) } }

  /// The same verdict with each of its failures changed.
  func changing(_ change: (Failure) -> Failure) -> Verdict {
    switch self {
    case .retry(let failure, let after, let progressed):
      .retry(change(failure), after: after, progressed: progressed)
    case .expired(let step, let failure, let after):
      .expired(step: step, change(failure), after: after)
    case .fail(let failure): .fail(change(failure))
    case .pause(let failure): .pause(change(failure))
    case .pauseRun(let failure): .pauseRun(change(failure))
    case .unknown(let failure): .unknown(change(failure))
    case .itemSkipped(let failure): .itemSkipped(change(failure))
    case .uncertain(let verdict): .uncertain(verdict.changing(change))
    case .results(let result, let verdicts):
      .results(result, verdicts.map { $0.changing(change) })
    case .stale(let failure): .stale(change(failure))
    case .unavailable(let resource, let failure): .unavailable(resource, change(failure))
    case .success, .poll, .interrupted, .notDone, .itemDone: self
    }
  }

  /// Whether a failure is in it that a response can explain.
  package var hasFailure: Bool {
    switch self {
    case .retry, .expired, .fail, .pause, .pauseRun, .unknown, .itemSkipped: true
    case .uncertain(let verdict): verdict.hasFailure
    case .results(_, let verdicts): verdicts.contains(where: \.hasFailure)
    case .success, .unavailable, .poll, .stale, .interrupted, .notDone, .itemDone: false
    }
  }
}
