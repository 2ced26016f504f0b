import PipelineCore
import PipelineEngine

enum ExchangeText {
  /// The longest beginning of a body that is shown on a terminal, in characters; a file gets all that is kept.
  static let shownBody = 4096

  /// `PUT https://host/path 403, 120 ms, 1.21 MiB sent, 231 B received (upload of IMG_1.jpg; x-request-id: 7f3a)`.
  static func line(_ exchange: Exchange) -> String {
    var facts = ["\(exchange.request.method) \(exchange.request.url) "]
    facts[0] += exchange.answer.map { String($0.status) } ?? "no answer"
    if let error = exchange.error { facts.append(error) }
    facts.append(time(exchange.timings.total))
    if exchange.request.bodyBytes > 0 {
      facts.append("\(ReportFormatting.bytes(exchange.request.bodyBytes)) sent")
    }
    if let answer = exchange.answer, answer.bodyBytes > 0 {
      facts.append("\(ReportFormatting.bytes(answer.bodyBytes)) received")
    }
    var origin = [
      "\(exchange.step)\(exchange.item.map { " of \(ReportFormatting.shortened($0))" } ?? "")"
    ]
    origin += (exchange.answer?.headers ?? []).filter { KeptResponse.isRequestID($0.name) }
      .map { "\($0.name): \($0.value)" }
    return "\(facts.joined(separator: ", ")) (\(origin.joined(separator: "; ")))"
  }

  /// Milliseconds below ten seconds.
  private static func time(_ duration: Duration) -> String {
    duration < .seconds(10)
      ? "\(duration.milliseconds) ms" : ReportFormatting.duration(duration)
  }

  /// The line, then headers and bodies: what was sent behind `>`, what came behind `<`.
  static func details(_ exchange: Exchange, bodyLimit: Int = .max) -> [String] {
    let request = exchange.request
    var lines = [line(exchange)]
    lines += request.headers.map { "  > \($0.name): \($0.value)" }
    lines += body(
      request.body, of: request.bodyBytes, "  > ", bodyLimit, otherwise: "a file or no text")
    guard let answer = exchange.answer else { return lines }
    lines.append("  < \(answer.status)")
    lines += answer.headers.map { "  < \($0.name): \($0.value)" }
    lines += body(
      answer.body, of: answer.bodyBytes, "  < ", bodyLimit,
      otherwise: answer.isSecret ? "not shown: the step has secret outputs" : "a file or no text")
    return lines
  }

  private static func body(
    _ text: String?, of bytes: Int64, _ mark: String, _ limit: Int, otherwise: String
  ) -> [String] {
    guard bytes > 0 else { return [] }
    guard let text else {
      return [mark, "\(mark)(\(ReportFormatting.bytes(bytes)): \(otherwise))"]
    }
    let shown = text.prefix(limit)
    var lines = [mark]
    lines += shown.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
    let isCut = shown.utf8.count < text.utf8.count || text.utf8.count >= ExchangeContext.longestBody
    if isCut { lines.append("\(mark)… (\(ReportFormatting.bytes(bytes)) in all)") }
    return lines
  }
}
