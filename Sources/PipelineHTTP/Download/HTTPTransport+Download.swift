import NIOCore
public import PipelineCore
public import PipelineEngine

extension HTTPTransport {
  /// Sends `request` and passes the file to `sink`; see ``TransferService``.
  ///
  /// If the connection breaks or stalls and the server gave a strong validator, the rest is requested at once, as long as
  /// each request makes progress. A sink that outlives the process is continued in the same way.
  public func download(
    _ first: RenderedRequest, into sink: any FileSink, renew: @escaping Renew,
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws(FileFailure) -> Response {
    let sent = clock.now()
    let deadline = Self.deadline(first.timeout)
    var request: RenderedRequest
    switch await begin(first, renew) {
    case .success(let begun): request = begun
    case .failure(let failure):
      return Response(status: 0, url: first.url, error: failure, sent: sent, received: clock.now())
    }
    guard enter() else { return full(request) }
    defer { leave() }
    let download = FileDownload(request, into: sink, progress: progress)
    try await download.begin()
    var next = download.continuation(of: request) ?? request
    while true {
      let before = download.received
      let response = await follow(
        next, source: nil, download: download, deadline: deadline, progress: { _ in })
      await download.settle()
      if let failure = download.failure { throw failure }
      if let error = response.error {
        guard error.kind == .connectionLost || error.kind == .timeout, .now() < deadline,
          download.received > before, !Task.isCancelled,
          let continuation = download.continuation(of: request)
        else { return response }
        next = continuation
        continue
      }
      if let renewed = await renewed(request, challengedBy: response, renew) {
        request = renewed
        next = download.continuation(of: request) ?? request
        continue
      }
      switch try download.progress(after: response) {
      case .ended:
        let whole = download.whole(response)
        return Response(
          status: whole.status, headers: whole.headers, body: whole.body, url: whole.url,
          sent: whole.status == response.status ? response.sent : sent, received: whole.received)
      case .startsOver:
        download.startOver()
        next = request
      case .isPart:
        guard download.received > before, !Task.isCancelled,
          let continuation = download.continuation(of: request)
        else { throw FileFailure(.interrupted, message: "the download is not complete") }
        next = continuation
      }
    }
  }
}
