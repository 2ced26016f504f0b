/// The value at one place of a derived response.
indirect enum ResponseShape: Hashable, Sendable {
  case value(Value)
  /// Text that is unique to the commit.
  case identifier(String)
  /// An absolute URL that is unique to the commit.
  case link(String)
  /// The same with the result's expiry time in its query, as a signed URL has it.
  case signedLink(String)
  /// A whole number that is unique to the commit.
  case number
  /// The result's expiry time in RFC 3339.
  case moment
  /// The result's expiry time in seconds since 1970.
  case momentSeconds
  /// The result's lifetime in whole seconds.
  case life
  /// The result's lifetime as a CEL duration.
  case lifeText
  case list([ResponseShape])
  /// A list with an element for each member of the request's batch.
  case each(ResponseShape)
  case object([Member])
  case said(CompiledExpression)
  /// Text in which a pattern occurs, as unique to the commit as the pattern allows.
  case matching(String)
  /// Nothing: the member is left out.
  case absent

  struct Member: Hashable, Sendable {
    let key: String
    let form: ResponseShape
  }

  /// Whether its value depends on the request, and not only on the commit.
  var readsRequest: Bool {
    switch self {
    case .each, .said: true
    case .list(let forms): forms.contains(where: \.readsRequest)
    case .object(let members): members.contains(where: \.form.readsRequest)
    default: false
    }
  }

  /// The default lifetime of results.
  static let usualLife: Duration = .seconds(3600)

  struct Values {
    let number: Int
    let now: Instant
    let life: Duration
    var request: RequestValues?
  }

  struct RequestValues {
    let evaluator: Evaluator
    private(set) var scope: Scope

    init(_ evaluator: Evaluator, _ scope: Scope, of step: Step?) {
      self.evaluator = evaluator
      self.scope = step.flatMap { try? evaluator.scope(scope, ofRequestOf: $0) } ?? scope
    }

    func value(of expression: CompiledExpression) -> Value? {
      let place = SourceLocation(file: "", line: 1, column: 1)
      return try? evaluator.value(Expression(expression, at: place), scope)
    }

    /// The same for each member of the batch.
    var members: [RequestValues] {
      var entries: [Value] = []
      if case .list(let known)? = scope.locals["batch.entries"] { entries = known }
      return zip(scope.members, entries).enumerated().map { index, member in
        var one = self
        one.scope = scope.of(member.0)
        one.scope.locals["batch.index"] = .int(Int64(index))
        one.scope.locals["batch.entry"] = member.1
        return one
      }
    }
  }

  /// The value; `nil` if it is left out.
  func value(_ values: Values, place: Int = 0) -> Value? {
    // Elements of one list differ, too.
    let suffix = place == 0 ? "\(values.number)" : "\(values.number)-\(place)"
    switch self {
    case .value(let value): return value
    case .identifier(let name): return .string("\(name)-\(suffix)")
    case .link(let name): return .string("https://server.example/\(name)/\(suffix)")
    case .signedLink(let name):
      let end = (values.now + values.life).milliseconds / 1000
      return .string("https://server.example/\(name)/\(suffix)?Expires=\(end)")
    case .number: return .int(Int64(values.number * 1000 + place))
    case .moment: return .string((values.now + values.life).description)
    case .momentSeconds: return .int((values.now + values.life).milliseconds / 1000)
    case .life: return .int(max(values.life.milliseconds / 1000, 1))
    case .lifeText: return .string("\(max(values.life.milliseconds / 1000, 1))s")
    case .list(let forms):
      return .list(forms.enumerated().compactMap { $1.value(values, place: place * 10 + $0 + 1) })
    case .each(let form):
      let members = values.request?.members ?? []
      return .list(
        members.enumerated().compactMap { index, member in
          var own = values
          own.request = member
          return form.value(own, place: place * 10 + index + 1)
        })
    case .said(let expression): return values.request?.value(of: expression)
    case .matching(let pattern):
      return PatternSample.text(matching: pattern, word: suffix).map(Value.string)
    case .object(let members):
      return .map(
        MapValue(
          members.compactMap { member in
            member.form.value(values, place: place).map { (member.key, $0) }
          }))
    case .absent: return nil
    }
  }
}

struct ResponsePlan: Hashable, Sendable {
  var status = 200
  /// Names in lower case.
  var headers: [ResponseShape.Member] = []
  var json, text, xml: ResponseShape?

  /// Whether it depends on the request, and not only on the commit.
  var readsRequest: Bool {
    ([json, text, xml].compactMap { $0 } + headers.map(\.form)).contains(where: \.readsRequest)
  }

  func response(_ values: ResponseShape.Values) -> SimulatedResponse {
    var response = SimulatedResponse(status: status)
    for header in headers {
      guard let value = header.form.value(values) else { continue }
      response.headers.append(.init(name: header.key, value: Self.text(of: value)))
    }
    if let value = json?.value(values) {
      response.body = Array(value.jsonText().utf8)
      response.headers.append(.init(name: "Content-Type", value: "application/json"))
    } else if let text = xml.flatMap({ Self.document($0.value(values)) }) {
      response.body = Array(text.utf8)
      response.headers.append(.init(name: "Content-Type", value: "application/xml"))
    } else if let value = text?.value(values) {
      response.body = Array(Self.text(of: value).utf8)
      response.headers.append(.init(name: "Content-Type", value: "text/plain; charset=utf-8"))
    }
    return response
  }

  /// The document whose root is the first entry of the map; `nil` if it would not be XML.
  private static func document(_ value: Value?) -> String? {
    guard let root = value?.mapValue?.first(where: { _ in true }), let name = root.key.stringValue
    else { return nil }
    return try? Value.map(MapValue([(name, root.value)])).xmlContent()
  }

  private static func text(of value: Value) -> String {
    if case .string(let text) = value { text } else { value.jsonText() }
  }
}

enum ResponseSource: Sendable {
  case example(ResponseTemplate)
  /// A response in which nothing varies.
  case constant(SimulatedResponse)
  case plan(ResponsePlan)
}

struct StepResponses: Sendable {
  var response: ResponseSource
  /// The next response, if ``response`` is an example that keeps the step waiting.
  var ready: ResponseSource?
  var tookEffect, noEffect: ResponseSource?
}
