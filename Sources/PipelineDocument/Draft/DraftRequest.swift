package import CEL
package import PipelineCore

/// A request after reading; a class, like the step that it belongs to.
package final class DraftRequest: Sendable {
  package typealias Authorization = RequestAuthorization<Draft>
  package typealias Body = RequestBody<Draft>

  package let method: Located<String>
  package let url: DraftTemplate?
  package let query: [DraftField]
  package let headers: [DraftField]
  let headerMaps: [HeaderMap<Draft>]
  let authorization: Authorization?
  package let body: Body?
  let bodyRange: TextRange?
  package let timeout: Duration
  package let redirects: RequestTemplate.Redirects
  let maximumResponse: Int64?
  package let rate: Located<String>?
  package let response: DraftResponse?
  package let example: ExampleResponse<Draft>?

  init(
    method: Located<String>, url: DraftTemplate?, query: [DraftField], headers: DraftHeaders,
    authorization: Authorization?, body: Body?, bodyRange: TextRange?, timeout: Duration,
    redirects: RequestTemplate.Redirects, maximumResponse: Int64?, rate: Located<String>? = nil,
    response: DraftResponse?, example: ExampleResponse<Draft>?
  ) {
    self.method = method
    self.url = url
    self.query = query
    self.headers = headers.fields
    headerMaps = headers.maps
    self.maximumResponse = maximumResponse
    self.rate = rate
    self.authorization = authorization
    self.body = body
    self.bodyRange = bodyRange
    self.timeout = timeout
    self.redirects = redirects
    self.response = response
    self.example = example
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
