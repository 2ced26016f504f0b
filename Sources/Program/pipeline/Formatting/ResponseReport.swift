extension ResponseForm {
  /// `nil` if there was no message.
  init?(_ failure: Failure) {
    guard let answer = failure.response else { return nil }
    self.init()
    status = failure.status
    body = answer.body.isEmpty ? nil : answer.body
    body_bytes = answer.bodyBytes
    request_ids = Dictionary(
      answer.requestIDs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ReportFormatting {
  /// The message, with the first name by which the server identifies the request.
  static func reason(_ failure: Failure) -> String {
    guard let id = failure.response?.requestIDs.first else { return failure.message }
    return "\(failure.message) [\(id.name): \(id.value)]"
  }

  /// The server's response, in lines after `indent`: its status and request ids, then the body as it came.
  static func lines(_ answer: ResponseForm?, indent: String) -> [String] {
    guard let answer else { return [] }
    let names = answer.request_ids.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    let head =
      "\(indent)the server's response\(answer.status.map { " \($0)" } ?? "")"
      + (names.isEmpty ? "" : " (\(names.joined(separator: "; ")))")
    let size = bytes(Int64(answer.body_bytes))
    guard let body = answer.body else {
      return [answer.body_bytes == 0 ? head : "\(head): \(size), not kept"]
    }
    var lines = ["\(head):"] + body.split(separator: "\n").map { "\(indent)  \($0)" }
    if body.utf8.count >= KeptResponse.longestBody { lines.append("\(indent)  … (\(size) in all)") }
    return lines
  }
}
