import PipelineDocument
import Testing

/// A file with one mistake: an edit of a file without any, and what the checker has to say of it.
struct Mistake: CustomTestStringConvertible, Sendable {
  /// The file without mistakes, in this folder.
  let file: String
  /// What the person wrote wrong, and what instead; both occur once in their files.
  let right: String
  let wrong: String
  let code: DiagnosticCode
  /// The text at the place that is reported, from its first character.
  let place: String
  /// What the message, the help or the fix contains: what to type, where that is known.
  let says: String

  var testDescription: String { "\(wrong) instead of \(right)" }

  /// A mistake in `photos.yaml`.
  static func photos(
    _ right: String, _ wrong: String, _ code: DiagnosticCode, at place: String, says: String
  ) -> Mistake {
    Mistake(
      file: "photos.yaml", right: right, wrong: wrong, code: code, place: place, says: says)
  }

  /// A mistake in `film.yaml`.
  static func film(
    _ right: String, _ wrong: String, _ code: DiagnosticCode, at place: String, says: String
  ) -> Mistake {
    Mistake(file: "film.yaml", right: right, wrong: wrong, code: code, place: place, says: says)
  }
}
