/// A compiled JSON Schema (2020-12); compile once, validate as often as needed, from any task.
public struct Schema: Sendable {
  /// How schemas are compiled and instances validated.
  public struct Options: Sendable {
    /// Whether `format` is an assertion (validation §7.2.2) regardless of the meta-schema.
    public var assertsFormat: Bool
    /// Whether schema documents are first validated against their meta-schema.
    public var validatesSchema: Bool
    /// How many schemas may be open at once during a validation; it bounds the stack.
    public var maximumDepth: Int
    /// How many schemas may be applied during one validation, plus a hundred for each value; it bounds the time.
    public var maximumSteps: Int

    /// The options; by default `format` is an annotation and schemas are checked.
    public init(
      assertsFormat: Bool = false, validatesSchema: Bool = true, maximumDepth: Int = 512,
      maximumSteps: Int = 2_000_000
    ) {
      (self.assertsFormat, self.validatesSchema) = (assertsFormat, validatesSchema)
      (self.maximumDepth, self.maximumSteps) = (maximumDepth, maximumSteps)
    }
  }

  /// Finds the document with an absolute URI (without fragment), or `nil`.
  public typealias Resolver = @Sendable (_ uri: String) -> JSONNode?
  let program: Program
  let options: Options

  /// Compiles a schema document; throws every issue found.
  ///
  /// References are resolved against the document's own `$id`, or else `baseURI`; other documents
  /// come from `resolver`, the 2020-12 meta-schemas are built in, nothing is fetched.
  public static func compile(
    _ document: JSONNode, baseURI: String = "urn:schema", options: Options = Options(),
    resolver: @escaping Resolver
  ) throws(SchemaError) -> Schema {
    let compiler = SchemaCompiler(options: options, resolver: resolver)
    let program = compiler.compile(document, baseURI: baseURI)
    let issues = Set(compiler.allIssues).sorted()
    guard issues.isEmpty else { throw SchemaError(issues: issues) }
    return Schema(program: program, options: options)
  }

  /// Compiles a schema document whose references stay within `documents`, keyed by absolute URI.
  public static func compile(
    _ document: JSONNode, baseURI: String = "urn:schema", documents: [String: JSONNode] = [:],
    options: Options = Options()
  ) throws(SchemaError) -> Schema {
    try compile(document, baseURI: baseURI, options: options) { documents[$0] }
  }

  /// Validates an instance.
  public func validate(_ instance: JSONNode) -> ValidationResult {
    var evaluator = Evaluator(program: program, options: options, mode: .flag)
    if evaluator.run(instance), evaluator.stop == nil {
      return ValidationResult(schema: self, instance: instance, failure: nil, findings: [])
    }
    // A validation that was stopped would be as slow a second time.
    var collector = Evaluator(program: program, options: options, mode: .failures)
    if evaluator.stop == nil { _ = collector.run(instance) }
    let stop = evaluator.stop ?? collector.stop
    let root = stop == nil ? collector.rootUnit(instance) : evaluator.rootUnit(instance)
    let findings = FindingCollector.findings(of: root, stop: stop)
    return ValidationResult(schema: self, instance: instance, failure: root, findings: findings)
  }
}
