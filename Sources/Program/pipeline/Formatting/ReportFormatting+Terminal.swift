extension ReportFormatting {
  static func listing(_ run: RunFolder, _ statuses: Set<String>) -> String {
    run.command("items", more: statuses.sorted().flatMap { ["--status", $0] })
  }

  static func paint(_ word: String, isComplete: Bool = true) -> Terminal.Paint {
    switch word {
    case "failed", "unreadable", failedToRun: .red
    case "finished", "done": isComplete ? .green : .red
    case "running", "active": .green
    case "skipped", "pending": .dim
    default: .yellow
    }
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
