public import CEL

/// An answer as expressions see it: each `response.…` is made when it is first asked for.
public final class AnswerView {
  /// The answer.
  public let answer: Answer
  private let statuses: [Int]
  private var json: Result<Value, JSONProblem>?
  private var headers: Value?

  private struct JSONProblem: Error {}

  /// Shows `answer`, and the statuses of the same step's earlier answers.
  public init(_ answer: Answer, earlierStatuses: [Int] = []) {
    self.answer = answer
    self.statuses = earlierStatuses
  }

  /// What to say when an expression asked for `response.json` and the body is none.
  var jsonFailure: String? {
    guard case .failure? = json else { return nil }
    let type = answer.header("content-type") ?? "no content-type"
    return "the response is not JSON (status \(answer.status), \(type), \(answer.body.count) bytes)"
  }

  /// The value of a name that begins with `response.` or `history.`.
  func value(of name: String) -> Value? {
    switch name {
    case "response.status": .int(Int64(answer.status))
    case "response.headers": headerMap()
    case "response.json": parsed()
    case "response.text": .string(String(decoding: answer.body, as: UTF8.self))
    case "response.url": .string(answer.url)
    case "response.error": .string(answer.error?.kind.rawValue ?? "")
    case "history.statuses": .list(statuses.map { .int(Int64($0)) })
    default: nil
    }
  }

  private func parsed() -> Value? {
    if json == nil {
      json = (try? Value(json: answer.body)).map { .success($0) } ?? .failure(JSONProblem())
    }
    return try? json?.get()
  }

  private func headerMap() -> Value {
    if let headers { return headers }
    var pairs: [String: String] = [:]
    for header in answer.headers {
      let name = header.name.lowercased()
      pairs[name] = pairs[name].map { "\($0), \(header.value)" } ?? header.value
    }
    let map = Value.map(MapValue(pairs.mapValues { .string($0) }))
    headers = map
    return map
  }
}
