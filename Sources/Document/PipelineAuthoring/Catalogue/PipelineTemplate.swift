/// A commented pipeline to start from.
public struct PipelineTemplate: Sendable {
  /// The word that selects it.
  public let name: String
  /// Its purpose, in one line.
  public let summary: String
  /// The name of the pipeline in it.
  public let pipeline: String
  private let text: String

  /// An invalid pipeline name.
  public struct NameProblem: Error, Hashable, Sendable {
    /// The message, in lower case, without a final full stop.
    public let message: String
  }

  /// A template whose name and summary are those of the pipeline itself, unless there are others.
  private init(_ text: String, name: String? = nil, summary: String? = nil) {
    func value(_ key: String) -> String {
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + ": ") } ?? ""
      return String(line.dropFirst(key.count + 2))
    }
    pipeline = value("pipeline")
    self.name = name ?? pipeline
    self.summary = summary ?? value("description")
    self.text = text
  }

  private static let summaries: KeyValuePairs = [
    "put": "one PUT per file, as WebDAV and plain web servers accept",
    "sync": "one PUT per file, without those that the server has already",
    "form": "multipart/form-data with a token, written to disk inside a budget",
    "presigned":
      "request a presigned URL, send the file there, request a new URL when it has expired",
    "allocate-upload-finalize":
      "sign in, allocate an upload, send its content, finalize it; safe to repeat",
  ]

  /// Every template of `Templates`, simple ones first.
  public static let all = summaries.flatMap { name, summary in
    EmbeddedTexts.templates.filter { $0.name == name }
      .map { PipelineTemplate($0.text, name: name, summary: summary) }
  }

  /// The pipelines of `Pipelines/catalogue`, by name: one for each protocol of a service.
  public static let catalogue = EmbeddedTexts.catalogue.map {
    // The first line is for editors; its path leads nowhere from another folder.
    let body = $0.text.drop { $0 != "\n" }.dropFirst()
    return PipelineTemplate(String(body.hasPrefix("#\n") ? body.dropFirst(2) : body))
  }

  /// The template called `name`, general or of the catalogue; `nil` if there is none.
  public static func named(_ name: String) -> PipelineTemplate? {
    (all + catalogue).first { $0.name == name }
  }

  /// The document; `name`, which must be valid, replaces the template's own name for the pipeline.
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
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { part in
      let line = String(part)
      // The commands in its comments name the file.
      return line.hasPrefix("#")
        ? line.replacing("\(pipeline).yaml", with: "\(name).yaml")
        : line == "pipeline: \(pipeline)" ? "pipeline: \(name)" : line
    }
    return lines.joined(separator: "\n")
  }
}
