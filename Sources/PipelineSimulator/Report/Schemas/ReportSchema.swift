/// The JSON Schema of a report, embedded in the program so that it can be printed.
///
/// The texts in this folder are generated from the files in `Schemas/`; a test compares them.
public struct ReportSchema: Hashable, Sendable {
  /// The schema, exactly as in its file.
  public let text: String
}
