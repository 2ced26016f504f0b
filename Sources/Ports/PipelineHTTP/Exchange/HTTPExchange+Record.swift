import NIOCore

struct ExchangeMoments {
  let began = NIODeadline.now()
  var headSent, bodySent, answered, ended: NIODeadline?

  /// The time of each phase; one that did not come took none.
  var timings: Exchange.Timings {
    let ended = ended ?? .now()
    // A server may respond before it has the whole body.
    let answered = min(answered ?? ended, ended)
    let bodySent = min(bodySent ?? answered, answered)
    let headSent = min(headSent ?? bodySent, bodySent)
    func time(_ from: NIODeadline, _ to: NIODeadline) -> Duration {
      .nanoseconds(max((to - from).nanoseconds, 0))
    }
    return Exchange.Timings(
      connect: time(began, headSent), send: time(headSent, bodySent),
      wait: time(bodySent, answered), receive: time(answered, ended))
  }
}

extension HTTPExchange {
  /// The response of this exchange, or the failure to get one, once those who listen were told of it.
  func told(_ response: Response, began: Instant) -> Response {
    guard let context = ExchangeContext.current else { return response }
    let length = source?.size ?? Int64(request.body.count)
    var sent = [Response.Header(name: "Host", value: address.authority)] + headers
    if length > 0 { sent.append(Response.Header(name: "Content-Length", value: String(length))) }
    let answered = Response(
      status: head?.status ?? 0, headers: head?.headers ?? [], body: response.body,
      url: response.url, error: response.error, sent: began, received: response.received)
    context.record(
      WireExchange(
        request: request, headers: sent, requestBytes: length, response: answered,
        responseBytes: response.body.isEmpty && isSuccess
          ? download?.received ?? 0 : Int64(response.body.count), timings: moments.timings))
    return response
  }
}
