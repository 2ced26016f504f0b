public import PipelineCore

/// A response to a request: an `example`, or part of a test's script.
///
/// A real run ignores it; it is for readers, tests and simulations.
public struct ExampleResponse<S: Stage>: Sendable {
  /// The content of a response.
  public enum Body: Sendable {
    case json(JSONForm<S.Template>)
    case text(S.Template)
  }

  /// HTTP status.
  public let status: Int
  /// Headers in order.
  public let headers: [NamedTemplate<S>]
  /// The body; `nil` means empty.
  public let body: Body?
  /// Time until the response.
  public let delay: Duration

  /// Creates a response.
  public init(
    status: Int = 200, headers: [NamedTemplate<S>] = [], body: Body? = nil, delay: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
  }
}

/// A response as the author wrote it.
public typealias ResponseTemplate = ExampleResponse<Compiled>

extension ExampleResponse.Body: Equatable, Hashable where S == Compiled {}
extension ExampleResponse: Equatable, Hashable where S == Compiled {
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
