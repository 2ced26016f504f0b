import Dispatch
import PipelineDocument
import PipelineScenarios
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `pipeline validate`: many files, several at a time.
struct PipelineValidation {
  let appliesFixes: Bool
  /// The folder that files must lie in which documents name; `nil` is that of each document.
  var root: String?

  /// How often fixes are applied to one file: a fix may bring to light what a further one mends.
  private static let rounds = 10

  /// Bytes of text whose trees may stay in memory until the process ends, which takes them down faster; the trees take
  /// some forty times as much.
  private static let keptBytes = 2 << 20

  private struct Outcome: Sendable {
    var text = ""
    var diagnostics: [Diagnostic] = []
    /// Texts of files that the file uses.
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
    // A file that several files use is reported once.
    report.diagnostics = report.diagnostics.sortedByPlace()
    return report
  }

  private func check(_ files: [String]) -> [Outcome] {
    let kept = Atomic(0)
    guard files.count > 1 else { return files.map { check($0, kept) } }
    let outcomes = Mutex([Outcome?](repeating: nil, count: files.count))
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let outcome = check(files[index], kept)
      outcomes.withLock { $0[index] = outcome }
    }
    return outcomes.withLock { $0.compactMap { $0 } }
  }

  private func check(_ file: String, _ kept: borrowing Atomic<Int>) -> Outcome {
    var outcome = Outcome()
    do throws(CommandFailure) {
      let bytes = try FileContents.argument(file, atMost: DocumentFiles.sizeLimit + 1)
      LongTextMemory.reserve(bytes: bytes.count)
      outcome.text = String(decoding: bytes, as: UTF8.self)
      let total = kept.add(bytes.count, ordering: .relaxed).newValue
      (outcome.diagnostics, outcome.sources) = found(
        bytes, file, isLast: !appliesFixes && total <= Self.keptBytes)
      if appliesFixes { try mend(file, &outcome) }
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  /// What is wrong with a document, a pipeline, a test of one, or a scenario, and the texts that it uses.
  private func found(
    _ bytes: [UInt8], _ file: String, isLast: Bool = false
  ) -> (diagnostics: [Diagnostic], sources: [String: String]) {
    if TestDocument.isNamed(file) {
      let result = TestDocument.load(bytes: bytes, file: file, files: .beside(file, root: root))
      return (result.diagnostics, result.sources)
    }
    if ScenarioDocument.isScenario(file: file, bytes: bytes) {
      return (ScenarioDocument.load(bytes: bytes, file: file).diagnostics, [:])
    }
    let result = PipelineDocument.validate(
      bytes: bytes, file: file, files: .beside(file, root: root), isLast: isLast)
    return (result.diagnostics, result.usedSources)
  }

  private func mend(_ file: String, _ outcome: inout Outcome) throws(CommandFailure) {
    // A text that is no UTF-8 would not survive being written.
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
    do {
      try Data(outcome.text.utf8).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw CommandFailure(.environment, "cannot write '\(file)'")
    }
  }
}
