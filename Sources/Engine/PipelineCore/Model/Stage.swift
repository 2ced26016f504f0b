/// How far a definition has come: which forms its names, expressions and templates have.
///
/// The definitions of a document are read first and compiled afterwards.
/// Both stages share one description of each thing, so that a key that is added is added once.
public protocol Stage {
  /// A name that the author chose.
  associatedtype Name: Sendable
  /// An expression, the whole of a scalar.
  associatedtype Expression: Sendable
  /// A scalar that may contain expressions.
  associatedtype Template: Sendable
  /// A request with its method, URL and headers.
  associatedtype Request: Sendable

  /// The same request with another timeout: that of the transfer that it belongs to.
  static func timed(_ request: Request, _ timeout: Duration) -> Request
}

/// Names and types are checked; every expression is compiled.
public enum Compiled: Stage {
  /// Only the name.
  public typealias Name = String
  /// A checked expression.
  public typealias Expression = PipelineCore.Expression
  /// A checked template.
  public typealias Template = PipelineCore.Template
  /// A checked request.
  public typealias Request = RequestTemplate

  /// The same request with another timeout.
  public static func timed(_ request: RequestTemplate, _ timeout: Duration) -> RequestTemplate {
    request.timed(timeout)
  }
}
