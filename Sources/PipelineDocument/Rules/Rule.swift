/// A check of meaning that needs no types; each has a file of its own.
protocol Rule: SendableMetatype {
  /// Reports what it finds in `pipeline`.
  static func check(_ pipeline: DraftPipeline, _ collector: DiagnosticCollector)
}

/// The rules that every draft is put through.
enum Rules {
  static let all: [any Rule.Type] = [
    BodyMethodRule.self, DuplicateIDRule.self, HeaderRule.self, InputDefaultRule.self,
    MatcherOrderRule.self, MaterializeKeysRule.self, MethodRule.self, NoItemRule.self,
    UnsafeCreateRule.self, URLRule.self,
  ]
}
