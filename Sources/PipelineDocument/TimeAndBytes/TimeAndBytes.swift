import PipelineCore

/// A check of a pipeline whose names and types are valid; each check has its own file.
protocol TimeAndBytesRule: SendableMetatype {
  /// The pages of the codes that only this rule reports.
  static var pages: [Check] { get }
  /// Reports what it finds in `document`.
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector)
}

/// The checks of time, bytes and background transfers before a run.
///
/// A rule only reports sums of constants, of numbers that the author wrote, or of limits that the message names: a false
/// alarm is worse than a miss.
enum TimeAndBytes {
  package static let rules: [any TimeAndBytesRule.Type] = [
    LifetimeWithinSkewRule.self, ExpiresBeforeUseRule.self, UploadOutlivesIdentifierRule.self,
    UploadOutlivesCredentialRule.self, RetriesDoNotFitRule.self, TimeoutBeyondAllowanceRule.self,
    UploadTimeoutTooShortRule.self, PollBeyondAllowanceRule.self, SignatureInQueueRule.self,
    BeginWithoutEarliestRule.self, ChallengeWithoutCredentialRule.self,
    DiskBudgetExceededRule.self, ConcurrencyBeyondDiskRule.self,
    BatchBeyondDiskRule.self, UnusedFileRule.self,
    FileHeldForRunRule.self, TooManyTransfersRule.self, ProbeReadsSecretRule.self,
  ]

  /// The time that a process gets when the transfer service wakes it (BT2).
  package static let allowance: Duration = .seconds(30)

  /// Runs every rule on a checked pipeline.
  ///
  /// Steps of used files count, but what is wrong in them was reported with their own file.
  package static func check(
    _ pipeline: LinkedPipeline, _ draft: DraftPipeline, _ reader: DocumentReader
  ) {
    let document = CheckedDocument(pipeline, draft, reader)
    let usedFiles = Set(draft.steps.compactMap { $0.use == nil ? nil : $0.range })
    reader.collector.dropping(at: usedFiles) {
      for rule in rules { rule.check(document, reader.collector) }
    }
  }
}
