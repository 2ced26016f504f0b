extension HTTPTransport {
  /// Waits until the transfer may start, and returns the request with which it does.
  func begin(
    _ request: RenderedRequest, _ renew: Renew
  ) async -> Result<RenderedRequest, TransportFailure> {
    guard let settings = request.transfer, let earliest = settings.earliest
    else { return .success(request) }
    let end = clock.now() + request.timeout
    await clock.sleep(until: min(earliest, end))
    if Task.isCancelled { return .failure(Self.interrupted) }
    guard clock.now() >= earliest, earliest < end else {
      let message = "the transfer timed out before it could start"
      return .failure(TransportFailure(.timeout, message: message))
    }
    guard settings.renewals.contains(.begin) else { return .success(request) }
    let renewal = await renew(.begin)
    return Task.isCancelled ? .failure(Self.interrupted) : .success(renewal.applied(to: request))
  }

  /// The request with which a challenged transfer continues; `nil` if it has no other one.
  func renewed(
    _ request: RenderedRequest, challengedBy response: Response, _ renew: Renew
  ) async -> RenderedRequest? {
    guard response.isChallenge, request.transfer?.renewals.contains(.challenge) == true,
      !Task.isCancelled
    else { return nil }
    let renewal = await renew(.challenge)
    return renewal == .unchanged || Task.isCancelled ? nil : renewal.applied(to: request)
  }

  private static var interrupted: TransportFailure {
    TransportFailure(.interrupted, message: "interrupted")
  }
}
