/// A step after reading; a class, because every rule visits all steps, and a copy would count a reference for each of a dozen fields.
package final class DraftStep {
  package let index: Int
  package let turnOf, partOf: Int?
  package let id: Located<String>?
  package let condition: DraftExpression?
  let values: [DraftField]
  package let action: StepAction<Draft>?
  package let use: DraftUse?
  let matchers: [DraftMatcher]
  let successIf: DraftExpression?
  package let outputs: [DraftOutput]
  package let retry: DraftRetry?
  package let effect: Step.ServerEffect
  let effectRange: TextRange?
  /// Where the idempotency key is sent; the usual header unless the author names a place.
  let keyPlace: IdempotencyKeyPlace<Located<String>>?
  let namesKeyPlace: Bool
  let idempotencyKey: DraftTemplate?
  package let probe: DraftProbe?
  let target: DraftTemplate?
  package let batch: DraftBatch?
  package let results: DraftResults?
  /// The ranges of keys about responses and repeats, including those that could not be read.
  let responseKeys: [(key: String, range: TextRange)]
  package let dependsOn: [Located<String>]
  let reissueLimit: Int?
  /// The data that the credential store keeps of a step that credentials generated.
  let signIn: DraftSignIn?
  package let range: TextRange
  package let node: YAMLNode
  package let requests: [DraftRequest]

  init(
    index: Int, turnOf: Int? = nil, partOf: Int? = nil, id: Located<String>?,
    condition: DraftExpression? = nil, values: [DraftField] = [], action: StepAction<Draft>?,
    use: DraftUse? = nil, matchers: [DraftMatcher] = [], successIf: DraftExpression? = nil,
    outputs: [DraftOutput] = [], retry: DraftRetry? = nil, effect: Step.ServerEffect = .repeatable,
    effectRange: TextRange? = nil, keyPlace: IdempotencyKeyPlace<Located<String>>? = nil,
    namesKeyPlace: Bool = false, idempotencyKey: DraftTemplate? = nil, probe: DraftProbe? = nil,
    target: DraftTemplate? = nil, batch: DraftBatch? = nil, results: DraftResults? = nil,
    responseKeys: [(key: String, range: TextRange)] = [], dependsOn: [Located<String>] = [],
    reissueLimit: Int? = nil, signIn: DraftSignIn? = nil, range: TextRange, node: YAMLNode
  ) {
    (self.index, self.turnOf, self.partOf, self.id) = (index, turnOf, partOf, id)
    (self.condition, self.values, self.action, self.use) = (condition, values, action, use)
    (self.matchers, self.successIf, self.outputs) = (matchers, successIf, outputs)
    (self.retry, self.effect, self.effectRange) = (retry, effect, effectRange)
    (self.keyPlace, self.namesKeyPlace) = (keyPlace, namesKeyPlace)
    (self.idempotencyKey, self.probe, self.target) = (idempotencyKey, probe, target)
    self.batch = batch
    (self.results, self.responseKeys, self.dependsOn) = (results, responseKeys, dependsOn)
    (self.reissueLimit, self.signIn, self.range, self.node) = (reissueLimit, signIn, range, node)
    requests = [action?.request, probe?.request].compactMap { $0 }
  }

  package func with(condition: DraftExpression?) -> DraftStep {
    with(condition: condition, action: action)
  }

  func with(action: StepAction<Draft>?) -> DraftStep { with(condition: condition, action: action) }

  private func with(condition: DraftExpression?, action: StepAction<Draft>?) -> DraftStep {
    DraftStep(
      index: index, turnOf: turnOf, partOf: partOf, id: id, condition: condition, values: values,
      action: action, use: use, matchers: matchers, successIf: successIf, outputs: outputs,
      retry: retry, effect: effect, effectRange: effectRange, keyPlace: keyPlace,
      namesKeyPlace: namesKeyPlace, idempotencyKey: idempotencyKey, probe: probe, target: target,
      batch: batch, results: results, responseKeys: responseKeys, dependsOn: dependsOn,
      reissueLimit: reissueLimit, signIn: signIn, range: range, node: node)
  }

  var sharesTarget: Bool { responseKeys.contains { $0.key == "shared_target" } }
  var isRepeatSafe: Bool { responseKeys.contains { $0.key == "idempotency" || $0.key == "probe" } }
}

/// A request after reading; a class, like the step that it belongs to.
package final class DraftRequest: Sendable {
  package typealias Authorization = RequestAuthorization<Draft>
  package typealias Body = RequestBody<Draft>
  package let method: Located<String>
  package let url: DraftTemplate?
  package let query, headers: [DraftField]
  let headerMaps: [HeaderMap<Draft>]
  let authorization: Authorization?
  package let body: Body?
  let bodyRange: TextRange?
  package let timeout: Duration
  package let redirects: RequestTemplate.Redirects
  let maximumResponse: Int64?
  let keepsCookies: Bool
  package let rate: Located<String>?
  package let response: DraftResponse?
  package let example: ExampleResponse<Draft>?

  init(
    method: Located<String>, url: DraftTemplate?, query: [DraftField], headers: DraftHeaders,
    authorization: Authorization?, body: Body?, bodyRange: TextRange?, timeout: Duration,
    redirects: RequestTemplate.Redirects, maximumResponse: Int64?, rate: Located<String>? = nil,
    keepsCookies: Bool = false,
    response: DraftResponse?, example: ExampleResponse<Draft>?
  ) {
    (self.method, self.url, self.query) = (method, url, query)
    self.headers = headers.fields
    headerMaps = headers.maps
    self.keepsCookies = keepsCookies
    (self.maximumResponse, self.rate, self.authorization) = (maximumResponse, rate, authorization)
    (self.body, self.bodyRange, self.timeout) = (body, bodyRange, timeout)
    (self.redirects, self.response, self.example) = (redirects, response, example)
  }
}

extension DraftRequest.Body {
  var templates: [DraftTemplate?] {
    switch self {
    case .json(let json): json.templates
    case .form(let fields): fields.map(\.value)
    case .text(let text), .xml(let text): [text]
    }
  }
}

package struct DraftResponse: Sendable {
  /// The type of `response.json` where an undeclared field is a mistake.
  let closed: ValueType
  /// The type where other fields may be present too, as in the body of an error.
  let open: ValueType
  package let words: [String: [String]]
  package let schema: Value
}

struct DraftHeaders {
  /// Those with a name, each name once, unless one mapping has it twice.
  private(set) var fields: [DraftField] = []
  private(set) var maps: [HeaderMap<Draft>] = []

  mutating func add(_ group: [DraftField]) {
    let names = Set(group.map { $0.name.value.lowercased() })
    var kept: [DraftField] = []
    var places: [Int] = []
    for field in fields {
      places.append(kept.count)
      if !names.contains(field.name.value.lowercased()) { kept.append(field) }
    }
    places.append(kept.count)
    maps = maps.map { HeaderMap($0.value, position: places[$0.position]) }
    fields = kept + group
  }

  mutating func add(_ map: DraftExpression) { maps.append(HeaderMap(map, position: fields.count)) }

  mutating func add(_ other: DraftHeaders) {
    add(other.fields)
    let start = fields.count - other.fields.count
    maps += other.maps.map { HeaderMap($0.value, position: start + $0.position) }
  }

  func has(_ name: String) -> Bool { fields.contains { $0.name.value.lowercased() == name } }
}

/// The data that the credential store keeps of a step, before names are resolved; see
/// ``/PipelineCore/SignIn``.
struct DraftSignIn {
  let name: String
  let tokenURL: DraftTemplate
  let client: DraftTemplate
  let origin: DraftTemplate
  /// The ID of the step that asks the user.
  var asks: Located<String>?
  /// Index of the output with the token.
  var output: Int?
}
