/// The JSON Schema of a report, carried in the program so that it can be printed.
///
/// The texts beside this are generated from the files in `Schemas/`; a test compares them.
public struct ReportSchema: Hashable, Sendable {
  /// The schema, as its file has it.
  public let text: String
}
