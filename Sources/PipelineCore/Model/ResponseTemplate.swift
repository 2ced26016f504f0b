/// A response as an author wrote it: an `example` of a request, or part of a test's script.
///
/// A real run ignores it; it is for readers, tests and simulations.
public struct ResponseTemplate: Hashable, Sendable {
  /// The content of a response.
  public enum Body: Hashable, Sendable {
    /// `application/json`.
    case json(JSONTemplate)
    /// Text, UTF-8.
    case text(Template)
  }

  /// HTTP status.
  public let status: Int
  /// Headers in order.
  public let headers: [RequestTemplate.Field]
  /// The body; `nil` means empty.
  public let body: Body?
  /// Time until the response.
  public let delay: Duration

  /// Creates a response.
  public init(
    status: Int = 200, headers: [RequestTemplate.Field] = [], body: Body? = nil,
    delay: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
  }

  /// Every expression of the response, in no order.
  public var expressions: [Expression] {
    var all = headers.flatMap(\.value.expressions)
    switch body {
    case .json(let template)?: all += template.expressions
    case .text(let template)?: all += template.expressions
    case nil: break
    }
    return all
  }
}
