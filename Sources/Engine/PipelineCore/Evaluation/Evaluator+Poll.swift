import CEL

extension Evaluator {
  /// Maximum number of characters of a value in a message.
  private static let longest = 80

  /// The values that `until` reads of a response, as in `response.json.state is 'processing'`.
  ///
  /// Only values that the author compares are quoted: a body may hold anything.
  func words(of step: Step, _ view: ResponseView, _ scope: Scope) -> String? {
    let until = step.matchers.last { $0.outcome == .success }?.condition
    var words: [String] = []
    for reference in until?.compiled.references ?? [] {
      guard reference.variable.hasPrefix("response."), let value = value(at: reference, view),
        let text = Self.quoted(value)
      else { continue }
      let line = "\(reference.path) is \(text)"
      if !words.contains(line) { words.append(line) }
    }
    guard !words.isEmpty
    else { return view.response.error.map(\.message).map { redact($0, scope) } }
    return redact(words.joined(separator: ", "), scope)
  }

  private func value(at reference: Reference, _ view: ResponseView) -> Value? {
    guard var value = view.value(of: reference.variable) else { return nil }
    for field in reference.path.dropFirst(reference.variable.count).split(separator: ".") {
      guard case .map(let map) = value, let member = map[String(field)] else { return nil }
      value = member
    }
    return value
  }

  private static func quoted(_ value: Value) -> String? {
    switch value {
    case .string(let text):
      let line = String(text.prefix(longest)).visibleLine
      return "'\(line)\(text.count > longest ? "…" : "")'"
    case .int(let number): return "\(number)"
    case .uint(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .bool(let flag): return "\(flag)"
    default: return nil
    }
  }
}
