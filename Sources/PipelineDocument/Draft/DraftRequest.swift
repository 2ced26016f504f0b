import PipelineCore

/// A request after reading.
///
/// A class, like the step that it belongs to.
final class DraftRequest {
  indirect enum Authorization {
    case bearer(DraftTemplate)
    case basic(user: DraftTemplate?, password: DraftTemplate?)
  }

  enum Body {
    case json(DraftJSON?)
    case form([DraftField])
    case text(DraftTemplate?)
  }

  let method: Located<String>
  let url: DraftTemplate?
  let query: [DraftField]
  let headers: [DraftField]
  let authorization: Authorization?
  let body: Body?
  /// The range of the body's key.
  let bodyRange: TextRange?
  let timeout: Duration
  let redirects: RequestTemplate.Redirects
  /// The declaration of the response.
  let response: DraftResponse?
  /// The example response.
  let example: DraftResponseTemplate?

  init(
    method: Located<String>, url: DraftTemplate?, query: [DraftField], headers: [DraftField],
    authorization: Authorization?, body: Body?, bodyRange: TextRange?, timeout: Duration,
    redirects: RequestTemplate.Redirects, response: DraftResponse?, example: DraftResponseTemplate?
  ) {
    self.method = method
    self.url = url
    self.query = query
    self.headers = headers
    self.authorization = authorization
    self.body = body
    self.bodyRange = bodyRange
    self.timeout = timeout
    self.redirects = redirects
    self.response = response
    self.example = example
  }
}
