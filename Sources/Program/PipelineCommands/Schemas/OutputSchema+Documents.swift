extension OutputSchema {
  static let findings = OutputSchema(
    "findings", title: "Findings", "What is wrong with files, in the order of the files.",
    by: ["validate --format json"],
    .list(
      .object([
        .always("code", .text, "The rule's code; `pipeline rule CODE` explains it."),
        .always("severity", .words(Diagnostic.Severity.self), "How bad it is."),
        .always("message", .text, "What is wrong."),
        .always("range", range, "Where."),
        .always(
          "notes",
          .list(
            .object([
              .always("message", .text, "What there is to see."), .always("range", range, "Where."),
            ])), "Other places that explain it."),
        .maybe("help", .text, "What to do."),
        .maybe(
          "fixes",
          .list(
            .object([
              .always("range", range, "What is replaced."),
              .always("replacement", .text, "What replaces it."),
              .always("safe", .flag, "Whether `--fix` applies it."),
            ])), "Replacements that solve it; of several, a person must choose one."),
        .maybe("properties", .map(.text), "Details, such as the keyword of a schema."),
      ])))

  private static let range = OutputShape.object([
    .always("file", .text, "The file, as on the command line; `-` is standard input."),
    .always("start", position, "The first character."),
    .always("end", position, "The place behind the last character."),
  ])

  private static let position = OutputShape.object([
    .always("line", .count, "The line, from 1."),
    .always("column", .count, "The column, from 1, in Unicode scalars."),
  ])

  static let audit = OutputSchema(
    "audit", title: "Audit", "What each pipeline contacts, reads and writes.",
    by: ["validate --audit --format json"], [AuditedFileForm].shape)

  static let plan = OutputSchema(
    "plan", title: "Plan", "What a run would do; nothing is sent.",
    by: ["run --dry-run --format json"], PlanForm.shape)

  static let rules = OutputSchema(
    "rules", title: "Rules", "Rules of `pipeline validate`.", by: ["rule --format json"],
    .list(
      .object([
        .always("code", .text, "The rule's code."),
        .always("severity", .words(Diagnostic.Severity.self), "How bad it is."),
        .always("family", .words(Check.Family.self), "What it is about."),
        .always("summary", .text, "The rule in a sentence."),
        .always("explanation", .text, "Why, in Markdown."),
        .maybe("wrong", .text, "A pipeline that breaks it."),
        .maybe("right", .text, "The same pipeline without the mistake."),
      ])))

  static let value = OutputSchema(
    "value", title: "Value",
    "The value of the expression; types that JSON does not have are strings.",
    by: ["eval --format json"], .anything)
}
