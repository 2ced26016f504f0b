/// An answer as an author wrote it: an `example` of a request, or what a test scripts.
///
/// A run for real never looks at it; it is for readers, for tests and for simulations.
public struct ResponseTemplate: Hashable, Sendable {
  /// What an answer carries.
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
  /// The body; `nil` is empty.
  public let body: Body?
  /// Time until the answer.
  public let delay: Duration

  /// Makes an answer.
  public init(
    status: Int = 200, headers: [RequestTemplate.Field] = [], body: Body? = nil,
    delay: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
  }

  /// Every expression of the answer, in no order.
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
