extension OutputSchema {
  static let findings = OutputSchema(
    "findings", title: "Findings", "What is wrong with files, in the order of the files.",
    by: ["validate --format json"],
    [FindingForm].shape)

  static let audit = OutputSchema(
    "audit", title: "Audit", "What each pipeline contacts, reads and writes.",
    by: ["validate --audit --format json"], [AuditedFileForm].shape)

  static let plan = OutputSchema(
    "plan", title: "Plan", "What a run would do; nothing is sent.",
    by: ["run --dry-run --format json"], PlanForm.shape)

  static let rules = OutputSchema(
    "rules", title: "Rules", "Rules of `pipeline validate`.", by: ["rule --format json"],
    [RuleForm].shape)

  static let value = OutputSchema(
    "value", title: "Value",
    "The value of the expression; types that JSON does not have are strings.",
    by: ["eval --format json"], .anything)
}
