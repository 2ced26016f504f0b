import PipelineDocument

/// A commented pipeline to start from.
public struct PipelineTemplate: Sendable {
  /// The word that selects it.
  public let name: String
  /// What it shows, in one line.
  public let summary: String
  /// The name of the pipeline in it.
  public let pipeline: String
  private let text: String

  /// An invalid pipeline name.
  public struct NameProblem: Error, Hashable, Sendable {
    /// The message, in lower case, without a final full stop.
    public let message: String
  }

  init(name: String, pipeline: String, summary: String, text: String) {
    self.name = name
    self.pipeline = pipeline
    self.summary = summary
    self.text = text
  }

  /// Every template, simple ones first.
  public static let all = [put, sync, form, presigned, allocateUploadFinalize]

  /// The template called `name`, general or of the catalogue; `nil` if there is none.
  public static func named(_ name: String) -> PipelineTemplate? {
    (all + catalogue).first { $0.name == name }
  }

  /// The document; `name` replaces the template's own name for the pipeline.
  ///
  /// - Throws: ``NameProblem`` if `name` is not a valid pipeline name.
  public func text(name: String? = nil) throws(NameProblem) -> String {
    guard let name else { return text }
    let scalars = name.unicodeScalars
    let isName =
      scalars.first.map { ("a"..."z").contains($0) } == true
      && scalars.allSatisfy {
        ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
      }
    guard isName else {
      throw NameProblem(
        message: "invalid name '\(name)', expected lower-case letters, digits, '_' and '-', "
          + "starting with a letter")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line == "pipeline: \(pipeline)" ? "pipeline: \(name)" : line
    }
    return lines.joined(separator: "\n")
  }
}
