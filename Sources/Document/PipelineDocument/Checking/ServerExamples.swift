/// A pipeline with its author's description of the server's responses, which simulations need and runs do not.
@dynamicMemberLookup public struct SimulatedPipeline: Sendable {
  public let pipeline: Pipeline
  /// The responses that the author describes.
  public let examples: ServerExamples

  /// Combines a pipeline and the responses that its author describes, if any.
  public init(_ pipeline: Pipeline, examples: ServerExamples = ServerExamples()) {
    (self.pipeline, self.examples) = (pipeline, examples)
  }

  /// Reads what the pipeline declares.
  public subscript<Part>(dynamicMember part: KeyPath<Pipeline, Part>) -> Part {
    pipeline[keyPath: part]
  }
}

/// The author's description of a server's responses: examples, and schemas of bodies.
///
/// A real run does not need it: it is for readers, checks and simulations.
public struct ServerExamples: Sendable {
  /// The request of the response.
  public enum Request: Hashable, Sendable {
    /// The request of a step, its upload or its download.
    case step(StepID)
    /// The request that asks a `repeat` step's server where it is.
    case resync(StepID)
    /// The request of a step's probe: if the step took effect, or if it did not.
    case probe(StepID, isDone: Bool)
    /// A request of a loop's `on_abandon`, by the positions of both.
    case abandon(loop: Int, Int)
  }

  private var examples: [Request: ResponseTemplate] = [:]
  private var schemas: [Request: Value] = [:]

  /// No examples.
  public init() {}
  /// A successful response to the request; `nil` if the author provides no example.
  public func example(of request: Request) -> ResponseTemplate? { examples[request] }
  /// The JSON Schema of a successful response's body; `nil` if the author declares none.
  public func schema(of request: Request) -> Value? { schemas[request] }

  mutating func add(_ example: ResponseTemplate?, _ schema: Value?, of request: Request) {
    examples[request] = example
    schemas[request] = schema
  }

  mutating func add(_ other: ServerExamples) {
    examples.merge(other.examples) { $1 }
    schemas.merge(other.schemas) { $1 }
  }
}
