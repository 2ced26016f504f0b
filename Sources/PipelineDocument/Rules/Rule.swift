/// The only reporter of one or more codes, with their explanations; each rule has its own file.
protocol DocumentedRule: SendableMetatype {
  /// The pages of the codes that only this rule reports.
  static var pages: [Check] { get }
}

/// A check of meaning that needs no types.
protocol Rule: DocumentedRule {
  /// Reports what it finds in `pipeline`.
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector)
}

/// A check that looks into the expressions of a draft.
///
/// It also runs on drafts with errors, in which some expressions were not compiled.
protocol ExpressionRule: DocumentedRule {
  /// Reports what it finds in the draft of `analysis`.
  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector)
}

/// The rules that run on every draft.
enum Rules {
  /// Runs every rule that needs no types on a draft.
  package static func check(_ draft: DraftPipeline, _ collector: DiagnosticCollector) {
    for rule in all { rule.check(draft, collector) }
  }

  package static let all: [any Rule.Type] = [
    BatchPlaceRule.self, BodyMethodRule.self, ConstantOutputRule.self, DuplicateIDRule.self,
    GlobRule.self,
    HardcodedSecretRule.self,
    HeaderRule.self, InputDefaultRule.self, MatcherOrderRule.self, MaterializeKeysRule.self,
    MethodRule.self, MisspeltNameRule.self, NoItemRule.self, RateRule.self, SafeMethodRule.self,
    ScalarBodyRule.self, UnaskedProbeRule.self, UnlikelyGlobRule.self, UnsafeCreateRule.self,
    UnusedPolicyRule.self, URLRule.self,
  ]

  /// Rules that readers and checkers call, because they need information that is gone later.
  static let ofReading: [any DocumentedRule.Type] = [
    AmbiguousScalarRule.self, ChangingKeyRule.self, TrailerRule.self,
    UnmarkedExpressionRule.self,
  ]

  /// Runs every expression rule on the expressions of a draft.
  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    for rule in ofExpressions { rule.check(analysis, collector) }
  }

  static let ofExpressions: [any ExpressionRule.Type] = [
    ConstantConditionRule.self, ForeignCredentialRule.self, HeaderCaseRule.self,
    HeaderValueRule.self, ImpossibleComparisonRule.self, InsecureURLRule.self,
    MissingSlashRule.self,
    RepeatWithoutProgressRule.self, SameForEachRule.self,
    SecretPlaceRule.self, StoredCredentialRule.self, ShadowedNameRule.self, SharedResultRule.self,
    SharedTargetRule.self,
    SkippedOutputRule.self,
    UnescapedNameRule.self, UnreachableRule.self,
    UnrelatedRewindRule.self,
  ]
}
