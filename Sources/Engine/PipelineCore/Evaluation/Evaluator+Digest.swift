import Basics
public import CEL

extension Evaluator {
  /// The content whose digests a step computes; nothing is written.
  public func plan(
    _ template: DigestsTemplate, _ scope: Scope
  ) throws(EvaluationFailure) -> MaterializationPlan {
    let file = try file(template.file, scope)
    let (offset, length) = try bounds(template.range, of: file, scope)
    let body = try body(of: file, scope)
    return MaterializationPlan(
      pieces: template.range == nil ? body.pieces : body.slice(from: offset, length: length).pieces,
      digests: template.algorithms, name: file.name, contentType: file.contentType,
      unwritten: scope.now)
  }

  /// The digests by algorithm, as the outputs of the step read them: `hex` in lower case and `base64` (RFC 4648 §4).
  public static func value(of digests: [DigestAlgorithm: String]) -> Value {
    .map(
      MapValue(
        DigestAlgorithm.allCases.compactMap { algorithm -> (String, Value)? in
          guard let hex = digests[algorithm], let bytes = Hexadecimal.bytes(Array(hex.utf8))
          else { return nil }
          let forms: [(String, Value)] = [
            ("hex", .string(hex)), ("base64", .string(Base64.encode(bytes))),
          ]
          return (algorithm.rawValue, .map(MapValue(forms)))
        }))
  }
}
