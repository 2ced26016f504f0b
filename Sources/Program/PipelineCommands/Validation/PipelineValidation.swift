import Dispatch
import Synchronization

/// `pipeline validate`: many files, several at a time.
struct PipelineValidation {
  let appliesFixes: Bool
  /// The folder that must contain the files documents refer to; `nil` is each document's own.
  var root: String?
  /// How many times fixes are applied to one file: one fix may reveal a problem that another repairs.
  private static let rounds = 10

  private struct Outcome: Sendable {
    var text = ""
    var diagnostics: [Diagnostic] = []
    /// Texts of the files that the file uses.
    var sources: [String: String] = [:]
    var fixes = 0
    var failure: CommandFailure?
  }

  func run(_ files: [String]) throws(CommandFailure) -> FindingReport {
    let outcomes = check(files)
    var report = FindingReport(files: files)
    for (file, outcome) in zip(files, outcomes) {
      if let failure = outcome.failure { throw failure }
      report.sources.merge(outcome.sources) { first, _ in first }
      report.sources[file] = outcome.text
      report.diagnostics += outcome.diagnostics
      report.fixes += outcome.fixes
    }
    // Report a file only once, even if several files use it.
    report.diagnostics = report.diagnostics.sortedByPlace()
    return report
  }

  private func check(_ files: [String]) -> [Outcome] {
    guard files.count > 1 else { return files.map(check) }
    let outcomes = Mutex([Outcome?](repeating: nil, count: files.count))
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let outcome = check(files[index])
      outcomes.withLock { $0[index] = outcome }
    }
    return outcomes.withLock { $0.compactMap { $0 } }
  }

  private func check(_ file: String) -> Outcome {
    var outcome = Outcome()
    do throws(CommandFailure) {
      let bytes = try FileContents.argument(file, atMost: DocumentFiles.sizeLimit + 1)
      outcome.text = String(decoding: bytes, as: UTF8.self)
      (outcome.diagnostics, outcome.sources) = found(bytes, file)
      if appliesFixes { try applyFixes(file, &outcome) }
    } catch { outcome.failure = error }
    return outcome
  }

  /// The findings in a document (a pipeline, a test, or a scenario), and the texts that it uses.
  private func found(
    _ bytes: [UInt8], _ file: String
  ) -> (diagnostics: [Diagnostic], sources: [String: String]) {
    if TestDocument.isNamed(file) {
      let result = TestDocument.load(bytes: bytes, file: file, files: .beside(file, root: root))
      return (result.diagnostics, result.sources)
    }
    if ScenarioDocument.isScenario(file: file, bytes: bytes) {
      return (ScenarioDocument.load(bytes: bytes, file: file).diagnostics, [:])
    }
    let result = PipelineDocument.validate(
      bytes: bytes, file: file, files: .beside(file, root: root))
    return (result.diagnostics, result.usedSources)
  }

  private func applyFixes(_ file: String, _ outcome: inout Outcome) throws(CommandFailure) {
    // Text that is not UTF-8 would be damaged by writing it.
    guard !outcome.diagnostics.contains(where: { $0.code == .invalidUTF8 }) else { return }
    for _ in 0..<Self.rounds {
      let own = outcome.diagnostics.filter { $0.range.file == file }
      let (text, count) = FixApplication.apply(own, to: outcome.text)
      guard count > 0, text != outcome.text else { break }
      outcome.text = text
      outcome.fixes += count
      outcome.diagnostics = found(Array(text.utf8), file).diagnostics
    }
    guard outcome.fixes > 0 else { return }
    try OutputFile(file).write(outcome.text)
  }
}
