/// The text between `${{` and `}}`, not yet compiled.
package struct DraftExpression: Sendable {
  enum Origin: Sendable {
    /// A scalar, and the position of the text's first character in the scalar's value, in Unicode scalars.
    case scalar(YAMLNode, offset: Int)
    /// Generated for a constant; every range in it is the constant's.
    case constant
  }

  package let source: String
  let origin: Origin
  package let range: TextRange
}

package struct DraftTemplate: Sendable {
  package enum Part: Sendable {
    case text(String)
    case expression(DraftExpression)
  }

  package let parts: [Part]
  package let range: TextRange

  package var onlyExpression: DraftExpression? {
    if parts.count == 1, case .expression(let only) = parts[0] { only } else { nil }
  }

  package var expressions: [DraftExpression] {
    parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }

  package var constant: String? {
    var text = ""
    for part in parts {
      guard case .text(let piece) = part else { return nil }
      text += piece
    }
    return text
  }

  var leadingText: String { if case .text(let text)? = parts.first { text } else { "" } }
}

extension DraftTemplate {
  /// A template that is one expression, which no one wrote there.
  init(source: String, at range: TextRange) {
    let expression = DraftExpression(source: source, origin: .constant, range: range)
    self.init(parts: [.expression(expression)], range: range)
  }
}

/// Parts that were read and are not compiled yet; unreadable parts are `nil`.
package enum Draft: Stage {
  package typealias Name = Located<String>
  package typealias Expression = DraftExpression?
  package typealias Template = DraftTemplate?
  package typealias Request = DraftRequest

  /// The reader has set the timeout of a transfer's request.
  package static func timed(_ request: DraftRequest, _ timeout: Duration) -> DraftRequest {
    request
  }
}

package typealias DraftJSON = JSONForm<DraftTemplate?>

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
  ) { (self.status, self.headers, self.body, self.delay) = (status, headers, body, delay) }
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
