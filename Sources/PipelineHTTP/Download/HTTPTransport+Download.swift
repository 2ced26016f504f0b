import NIOCore
public import PipelineCore
public import PipelineEngine

extension HTTPTransport {
  /// Sends `request` and passes the file to `sink`; see ``TransferService``.
  ///
  /// If the connection breaks or stalls and the server gave a strong entity tag, the rest is requested at once, as long as
  /// each request makes progress. The part received does not outlive the call.
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
    let download = FileDownload(into: sink, progress: progress)
    var next = request
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
        next = download.continuation(of: renewed) ?? renewed
        continue
      }
      guard response.status == 206, let head = download.head else { return response }
      return Response(
        status: head.status, headers: head.headers, url: response.url, sent: sent,
        received: response.received)
    }
  }
}
