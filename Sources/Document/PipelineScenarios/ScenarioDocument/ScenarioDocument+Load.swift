extension ScenarioDocument {
  /// The result of loading a scenario.
  public struct Result: Sendable {
    /// The scenario; present if and only if no diagnostic is an error.
    public let document: ScenarioDocument?
    /// All diagnostics, in text order.
    public let diagnostics: [Diagnostic]
  }

  /// Whether a file is a scenario, according to its name.
  public static func isNamed(_ file: String) -> Bool {
    file.hasSuffix(".scenario.yaml") || file.hasSuffix(".scenario.yml")
  }

  /// Whether a file is a scenario: by its name, or by a key `scenario` and no key `pipeline` at the top.
  public static func isScenario(file: String, bytes: [UInt8]) -> Bool {
    if isNamed(file) { return true }
    var isScenario = false
    var rest = bytes[...]
    while !rest.isEmpty {
      isScenario = isScenario || rest.starts(with: "scenario:".utf8)
      if otherKinds.contains(where: { rest.starts(with: $0.utf8) }) { return false }
      guard let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) else { break }
      rest = rest[(end + 1)...]
    }
    return isScenario
  }

  private static let otherKinds = ["pipeline:", "test:", "definitions:"]

  /// Reads and checks a scenario; `file` is its name in messages.
  public static func load(bytes: some Sequence<UInt8>, file: String) -> Result {
    let (document, diagnostics) = DocumentReader.load(bytes, file: file) {
      ScenarioReader(reader: $1).scenario($0)
    }
    return Result(document: document, diagnostics: diagnostics)
  }
}

extension DocumentReader {
  /// Reads a document with its comments; returns `nil` if a diagnostic, here or in `others`, is an error.
  static func load<Document>(
    _ bytes: some Sequence<UInt8>, file: String, others: () -> [Diagnostic] = { [] },
    _ read: (YAMLNode, DocumentReader) -> Document?
  ) -> (document: Document?, diagnostics: [Diagnostic]) {
    let reader = DocumentReader(bytes: Array(bytes), file: file)
    let found = reader.finished(reader.document.root.flatMap { read($0, reader) })
    let diagnostics = (reader.collector.diagnostics + others()).sortedByPlace()
    return (diagnostics.contains { $0.severity == .error } ? nil : found, diagnostics)
  }

  /// Reports names that an earlier element has already.
  func reportDuplicates(_ what: String, _ names: [(name: String, range: TextRange)]) {
    var seen: [String: TextRange] = [:]
    for (name, range) in names {
      if let first = seen[name] {
        collector.report(
          .duplicateID, "the \(what) '\(name)' is already used", at: range,
          notes: [Diagnostic.Note(message: "first used here", range: first)])
      } else {
        seen[name] = range
      }
    }
  }
}
