package import PipelineCore

/// A request after reading.
///
/// A class, like the step that it belongs to.
package final class DraftRequest {
  package indirect enum Authorization {
    case bearer(DraftTemplate)
    case basic(user: DraftTemplate?, password: DraftTemplate?)
  }

  package enum Body {
    case json(DraftJSON?)
    case form([DraftField])
    case text(DraftTemplate?)
  }

  package let method: Located<String>
  package let url: DraftTemplate?
  package let query: [DraftField]
  package let headers: [DraftField]
  let authorization: Authorization?
  package let body: Body?
  /// The range of the body's key.
  let bodyRange: TextRange?
  package let timeout: Duration
  package let redirects: RequestTemplate.Redirects
  /// The declaration of the response.
  package let response: DraftResponse?
  /// The example response.
  package let example: DraftResponseTemplate?

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
