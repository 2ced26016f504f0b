/// The JSON Schema of a report, embedded in the program so that it can be printed.
public struct ReportSchema: Hashable, Sendable {
  /// The schema of `Schemas/simulation-report.schema.json`.
  public static let simulationReport = Self(embedded: EmbeddedTexts.simulationReport)
  /// The schema of `Schemas/verification.schema.json`.
  public static let verification = Self(embedded: EmbeddedTexts.verification)
  /// The schema, exactly as in its file.
  public let text: String

  private init(embedded files: [(name: String, text: String)]) {
    precondition(files.count == 1, "EmbedTexts names one file")
    text = files[0].text
  }
}
