import Basics
import CEL

/// A field that is sent after the body of an upload (RFC 9110 §6.5), with everything evaluated but the digests of that body.
public struct RenderedTrailer: Hashable, Sendable {
  /// How a digest is written.
  public enum Encoding: String, Hashable, Sendable, CaseIterable {
    /// Lower-case hexadecimal.
    case hex
    /// Base64 of the bytes (RFC 4648 §4).
    case base64
  }

  /// A piece of the value.
  public enum Part: Hashable, Sendable {
    case text(String)
    /// A digest of the body.
    case digest(DigestAlgorithm, Encoding)
  }

  public let name: String
  /// The value, piece by piece.
  public let parts: [Part]

  /// Makes a field.
  public init(name: String, parts: [Part]) { (self.name, self.parts) = (name, parts) }

  /// The field with the digests of the body, in lower-case hexadecimal; one that is missing is left empty.
  public func header(_ digests: [DigestAlgorithm: String]) -> Response.Header {
    let texts = parts.map { part in
      switch part {
      case .text(let text): text
      case .digest(let algorithm, .hex): digests[algorithm] ?? ""
      case .digest(let algorithm, .base64):
        Base64.encode(Hexadecimal.bytes(Array((digests[algorithm] ?? "").utf8)) ?? [])
      }
    }
    return Response.Header(name: name, value: texts.joined())
  }

  /// The digests that the value contains.
  public var digests: [DigestAlgorithm] {
    parts.compactMap { if case .digest(let algorithm, _) = $0 { algorithm } else { nil } }
  }

  /// The name by which an expression reads a digest of the body.
  public static func name(_ algorithm: DigestAlgorithm, _ encoding: Encoding) -> String {
    "body.\(algorithm.rawValue).\(encoding.rawValue)"
  }

  fileprivate static let placeholders: [String: Part] = Dictionary(
    DigestAlgorithm.allCases.flatMap { algorithm in
      Encoding.allCases.map { (name(algorithm, $0), Part.digest(algorithm, $0)) }
    }, uniquingKeysWith: { first, _ in first })
}

extension Evaluator {
  /// The fields that are sent after the body of an upload.
  public func trailers(
    _ template: UploadTemplate, _ scope: Scope
  ) throws(EvaluationFailure) -> [RenderedTrailer] {
    var trailers: [RenderedTrailer] = []
    for field in template.trailers {
      var parts: [RenderedTrailer.Part] = []
      for part in field.value.parts {
        switch part {
        case .text(let text): parts.append(.text(text))
        case .expression(let expression):
          if let digest = expression.compiled.variable.flatMap({ RenderedTrailer.placeholders[$0] })
          {
            parts.append(digest)
          } else {
            parts.append(.text(try text(Template([.expression(expression)]), scope)))
          }
        }
      }
      trailers.append(RenderedTrailer(name: field.name, parts: parts))
    }
    return trailers
  }
}
