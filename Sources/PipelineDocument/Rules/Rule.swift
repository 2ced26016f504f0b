/// What alone reports one code or several, and explains them; each has a file of its own.
protocol DocumentedRule: SendableMetatype {
  /// What is to be known about the codes that it alone reports.
  static var pages: [Check] { get }
}

/// A check of meaning that needs no types.
protocol Rule: DocumentedRule {
  /// Reports what it finds in `pipeline`.
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector)
}

/// A check that looks into the expressions of a draft.
///
/// It is run on drafts with errors too: of an expression that could not be compiled nothing is known.
protocol ExpressionRule: DocumentedRule {
  /// Reports what it finds in the draft of `analysis`.
  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector)
}

/// The rules that every draft is put through.
enum Rules {
  /// Puts a draft through every rule that needs no types.
  package static func check(_ draft: DraftPipeline, _ collector: DiagnosticCollector) {
    Concurrency.check(all, draft, collector) { $0.check(draft, $1) }
  }

  package static let all: [any Rule.Type] = [
    BatchPlaceRule.self, BodyMethodRule.self, ConstantOutputRule.self, DuplicateIDRule.self,
    GlobRule.self,
    HardcodedSecretRule.self,
    HeaderRule.self, InputDefaultRule.self, MatcherOrderRule.self, MaterializeKeysRule.self,
    MethodRule.self, MisspeltNameRule.self, NoItemRule.self, SafeMethodRule.self,
    ScalarBodyRule.self, UnaskedProbeRule.self, UnsafeCreateRule.self,
    UnusedPolicyRule.self, URLRule.self,
  ]

  /// Rules that readers and checkers ask while they still see what others do not.
  static let ofReading: [any DocumentedRule.Type] = [
    AmbiguousScalarRule.self, ChangingKeyRule.self, UnmarkedExpressionRule.self,
  ]

  /// Puts the expressions of a draft through every rule on them.
  package static func check(_ analysis: Analysis, _ collector: DiagnosticCollector) {
    Concurrency.check(ofExpressions, analysis.draft, collector) { $0.check(analysis, $1) }
  }

  static let ofExpressions: [any ExpressionRule.Type] = [
    ConstantConditionRule.self, ForeignCredentialRule.self, HeaderCaseRule.self,
    HeaderValueRule.self, ImpossibleComparisonRule.self, InsecureURLRule.self,
    RepeatWithoutProgressRule.self,
    SecretPlaceRule.self, StoredCredentialRule.self, ShadowedNameRule.self, SharedResultRule.self,
    SkippedOutputRule.self,
    UnreachableRule.self,
    UnrelatedRewindRule.self,
  ]
}
