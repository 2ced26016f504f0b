import PipelineDocument
import Testing

/// A file with one mistake: an edit of a file without any, and the finding that the checker must report.
struct Mistake: CustomTestStringConvertible, Sendable {
  /// The file without mistakes, in this folder.
  let file: String
  /// The wrong text, and the right one; both occur once in their files.
  let right: String
  let wrong: String
  let code: DiagnosticCode
  /// The text at the place that is reported, from its first character.
  let place: String
  /// A text that the message, the help or the fix contains: the correction, where it is known.
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
