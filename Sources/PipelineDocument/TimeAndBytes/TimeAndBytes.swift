import PipelineCore

/// A check of a pipeline whose names and types are right; each has a file of its own.
protocol TimeAndBytesRule: SendableMetatype {
  /// What is to be known about the codes that it alone reports.
  static var pages: [Check] { get }
  /// Reports what it finds in `document`.
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector)
}

/// What is known of time, bytes and background transfer before a run.
///
/// A rule speaks only where its arithmetic is made of constants, of what the author wrote, or of limits that the message
/// names: a false alarm is worse than a miss.
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

  /// Time that a process has when the transfer service resumes it (BT2).
  package static let allowance: Duration = .seconds(30)

  /// Puts a checked pipeline through every rule.
  package static func check(_ pipeline: Pipeline, _ draft: DraftPipeline, _ reader: DocumentReader)
  {
    let document = CheckedDocument(pipeline, draft, reader)
    Concurrency.check(rules, draft, reader.collector) { $0.check(document, $1) }
  }
}
