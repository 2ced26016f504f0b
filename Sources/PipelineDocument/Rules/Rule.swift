/// The only reporter of one or more codes, with their pages; each rule has its own file.
///
/// A rule has one of the checks below, or none if readers and checkers call it, because they know what is gone later.
protocol Rule: SendableMetatype {
  static var pages: [Check] { get }

  /// Reports what it finds without knowing any types.
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector)

  /// Reports what it finds in the expressions of a draft; it also runs on drafts with errors, in which some expressions were not compiled.
  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector)

  /// Reports what it finds in a pipeline whose names and types are valid: about time, bytes and background transfers.
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector)
}

extension Rule {
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector) {}
  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {}
  static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {}
}

enum Rules {
  static let all: [any Rule.Type] = [
    AmbiguousScalarRule.self, BatchBeyondDiskRule.self, BatchPlaceRule.self,
    BeginWithoutEarliestRule.self, BodyMethodRule.self, ChallengeWithoutCredentialRule.self,
    ChangingKeyRule.self, ConcurrencyBeyondDiskRule.self, ConstantConditionRule.self,
    ConstantOutputRule.self, DiskBudgetExceededRule.self, DuplicateIDRule.self,
    ExpiresBeforeUseRule.self, FileHeldForRunRule.self, ForeignCredentialRule.self, GlobRule.self,
    HardcodedSecretRule.self, HeaderCaseRule.self, HeaderRule.self, HeaderValueRule.self,
    ImpossibleComparisonRule.self, InputDefaultRule.self, InsecureURLRule.self,
    LifetimeWithinSkewRule.self, MatcherOrderRule.self, MaterializeKeysRule.self, MethodRule.self,
    MissingSlashRule.self, MisspeltNameRule.self, NoItemRule.self, PollBeyondAllowanceRule.self,
    ProbeReadsSecretRule.self, RateRule.self, RepeatWithoutProgressRule.self,
    RetriesDoNotFitRule.self, SafeMethodRule.self, SameForEachRule.self, ScalarBodyRule.self,
    SecretPlaceRule.self, ShadowedNameRule.self, SharedResultRule.self, SharedTargetRule.self,
    SignatureInQueueRule.self, SkippedOutputRule.self, StoredCredentialRule.self,
    TimeoutBeyondAllowanceRule.self, TooManyTransfersRule.self, TrailerRule.self,
    UnaskedProbeRule.self, UnescapedNameRule.self, UnlikelyGlobRule.self,
    UnmarkedExpressionRule.self, UnreachableRule.self, UnrelatedRewindRule.self,
    UnsafeCreateRule.self, UnusedFileRule.self, UnusedPolicyRule.self, UnusedRule.self,
    UploadOutlivesCredentialRule.self, UploadOutlivesIdentifierRule.self,
    UploadTimeoutTooShortRule.self, URLRule.self,
  ]
}
