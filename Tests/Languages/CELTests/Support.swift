import CEL
import Testing

/// The value of an expression without variables, or with those of `variables` as `dyn`.
func evaluate(
  _ source: String, _ variables: [String: Value] = [:],
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Value {
  try expression(source, declaring: variables.mapValues { _ in .dyn }, sourceLocation)
    .evaluate(variables)
}

/// The code of the error that an evaluation ends with.
func failure(
  _ source: String, _ variables: [String: Value] = [:], limits: EvaluationLimits = .default,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> EvaluationError? {
  let compiled = try expression(
    source, declaring: variables.mapValues { _ in .dyn }, sourceLocation)
  do throws(EvaluationError) {
    let value = try compiled.evaluate(variables, limits: limits)
    Testing.Issue.record("gives \(value)", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

func expression(
  _ source: String, declaring variables: [String: ValueType] = [:],
  _ sourceLocation: SourceLocation = #_sourceLocation
) throws -> CompiledExpression {
  let compilation = issues(source, declaring: variables)
  return try #require(
    compilation.expression, "\(compilation.issues.map(\.message))", sourceLocation: sourceLocation)
}

func issues(_ source: String, declaring variables: [String: ValueType] = [:]) -> Compilation {
  var environment = Environment.standard
  for (name, type) in variables { environment.declare(name, as: type) }
  return environment.compile(source)
}

/// The part of a source at a range in Unicode scalars.
func text(_ source: String, _ range: Range<Int>) -> String {
  let scalars = Array(source.unicodeScalars)[range]
  return String(String.UnicodeScalarView(scalars))
}
