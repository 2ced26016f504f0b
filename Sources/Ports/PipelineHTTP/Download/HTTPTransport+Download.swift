import NIOCore

extension HTTPTransport {
  /// Sends `request` and passes the file to `sink`; see ``TransferService``.
  ///
  /// If the sink has a part of it and the server gave a strong validator, the rest is requested. Nothing is requested twice:
  /// whether a file is continued, or sent from its start, is the engine's next attempt.
  public func download(
    _ first: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    let sent = clock.now()
    let deadline = Self.deadline(first.timeout)
    var request: RenderedRequest
    switch await begin(first, renew) {
    case .success(let begun): request = begun
    case .failure(let failure): return failed(first, failure, since: sent)
    }
    guard enter() else { return full(request) }
    defer { leave() }
    let download = FileDownload(request, into: sink, progress: progress)
    try await download.begin()
    while true {
      let response = await follow(
        download.continuation(of: request) ?? request, source: nil, download: download,
        deadline: deadline, progress: { _ in })
      await download.settle()
      if let failure = download.failure { throw failure }
      guard response.error == nil else { return response }
      if let renewed = await renewed(request, challengedBy: response, renew) {
        request = renewed
        continue
      }
      guard let missing = try download.missing(after: response)
      else { return download.whole(response) }
      let failure = TransportFailure(.connectionLost, message: missing, mayHaveBeenSent: true)
      return Response(
        status: 0, url: response.url, error: failure, hops: response.hops, sent: response.sent,
        received: response.received)
    }
  }
}
