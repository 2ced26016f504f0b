/// The only reporter of one or more codes; each rule has its own file, and one of these checks.
///
/// Rules that readers call, because they use information that is gone later, are in `Reading`.
protocol Rule: SendableMetatype {
  /// Reports findings that need no types.
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector)

  /// Reports findings in the expressions of a draft; it also runs on drafts with errors, in which some expressions were not compiled.
  static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector)

  /// Reports findings in a pipeline whose names and types are valid: about time, bytes and background transfers.
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector)
}

extension Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {}
  static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {}
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {}
}

enum Rules {
  static let all: [any Rule.Type] = [
    BatchBeyondDiskRule.self, BatchPlaceRule.self, BeginWithoutEarliestRule.self,
    BodyMethodRule.self, ChallengeWithoutCredentialRule.self, ChangingKeyRule.self,
    ConcurrencyBeyondDiskRule.self, ConstantConditionRule.self, ConstantOutputRule.self,
    DiskBudgetExceededRule.self, DuplicateIDRule.self, ExpiresBeforeUseRule.self,
    FileHeldForRunRule.self, ForeignCredentialRule.self, GlobRule.self, HardcodedSecretRule.self,
    HeaderCaseRule.self, HeaderRule.self, HeaderValueRule.self, ImpossibleComparisonRule.self,
    InputDefaultRule.self, InsecureURLRule.self, LifetimeWithinSkewRule.self, MatcherOrderRule.self,
    MaterializeKeysRule.self, MethodRule.self, MissingSlashRule.self, MisspelledNameRule.self,
    NoItemRule.self, PollBeyondAllowanceRule.self, ProbeReadsSecretRule.self, RateRule.self,
    RepeatWithoutProgressRule.self, RetriesDoNotFitRule.self, SafeMethodRule.self,
    SameForEachRule.self, ScalarBodyRule.self, SecretBodyInQueueRule.self, SecretPlaceRule.self,
    ShadowedNameRule.self, SharedResultRule.self, SharedTargetRule.self, SignatureInQueueRule.self,
    SkippedOutputRule.self, StoredCredentialRule.self, TimeoutBeyondAllowanceRule.self,
    TooManyTransfersRule.self, TrailerRule.self, UnaskedProbeRule.self, UnescapedNameRule.self,
    UnlikelyGlobRule.self, UnprovenEffectRule.self, UnreachableRule.self, UnrelatedRewindRule.self,
    UnsafeCreateRule.self, UnusedFileRule.self, UnusedPolicyRule.self, UnusedRule.self,
    UploadOutlivesCredentialRule.self, UploadOutlivesIdentifierRule.self,
    UploadTimeoutTooShortRule.self, URLRule.self,
  ]
}
