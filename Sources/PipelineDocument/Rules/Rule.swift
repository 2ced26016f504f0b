/// A check of meaning that needs no types; each has a file of its own.
protocol Rule: SendableMetatype {
  /// What is to be known about the codes that it alone reports.
  static var pages: [Check] { get }
  /// Reports what it finds in `pipeline`.
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector)
}

/// A check that looks into the expressions of a draft; each has a file of its own.
///
/// It is run on drafts with errors too: of an expression that could not be compiled nothing is known.
protocol ExpressionRule: SendableMetatype {
  /// What is to be known about the codes that it alone reports.
  static var pages: [Check] { get }
  /// Reports what it finds in the draft of `analysis`.
  static func check(_ analysis: Analysis, _ collector: DiagnosticCollector)
}

/// The rules that every draft is put through.
enum Rules {
  static let all: [any Rule.Type] = [
    AmbiguousScalarRule.self, BodyMethodRule.self, DuplicateIDRule.self, GlobRule.self,
    HeaderRule.self, InputDefaultRule.self, MatcherOrderRule.self, MaterializeKeysRule.self,
    MethodRule.self, NoItemRule.self, UnmarkedExpressionRule.self, UnsafeCreateRule.self,
    UnusedPolicyRule.self, URLRule.self,
  ]

  static let ofExpressions: [any ExpressionRule.Type] = [
    ConstantConditionRule.self, ForeignCredentialRule.self, HeaderCaseRule.self,
    HeaderValueRule.self, ImpossibleComparisonRule.self, InsecureURLRule.self,
    SecretPlaceRule.self, ShadowedNameRule.self, SkippedOutputRule.self, UnreachableRule.self,
    UnrelatedRewindRule.self,
  ]
}
