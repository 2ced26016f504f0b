import PipelineCore
import PipelineDocument
import PipelineFiles

/// What is known of pipelines before they run.
extension OutputSchema {
  static let findings = OutputSchema(
    "findings", title: "Findings", "What is wrong with files, in the order of the files.",
    by: ["validate --format json"],
    .list(
      .object([
        .always("code", .text, "The rule's code; `pipeline rule CODE` explains it."),
        .always("severity", .word(Diagnostic.Severity.allCases.map(\.rawValue)), "How bad it is."),
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
    by: ["validate --audit --format json"],
    .list(
      .object([
        .always("file", .text, "The file, as on the command line."),
        .always("pipeline", .text, "The pipeline's name."),
        .always("audit", auditShape, "What it uses."),
      ])))

  private static let auditShape = OutputShape.object([
    .always(
      "hosts",
      .list(
        .object([
          .maybe("host", .text, "The host; absent if it is known only when the pipeline runs."),
          .always("inputs", .list(.text), "The inputs that it comes from."),
          .always("answers", .list(.text), "The steps whose responses it comes from."),
          .maybe("expression", .text, "The expression that gives it, if nothing else is known."),
          .always("steps", .list(.text), "The steps that contact it."),
          .always("secrets", .list(.text), "The secrets that are sent to it."),
        ])), "Hosts, in the order of the steps."),
    .always(
      "files",
      .list(
        .object([
          .maybe("input", .text, "The input that names the files."),
          .maybe("path", .text, "The path, if the pipeline contains it."),
        ])), "Files that are read."),
    .always(
      "folders",
      .list(
        .object([
          .always("input", .text, "The input that names the folder."),
          .always("steps", .list(.text), "The steps that write into it."),
          .always("replaces", .flag, "Whether files that exist may be replaced."),
        ])), "Folders that files are put into."),
    .always(
      "secrets",
      .list(
        .object([
          .always("name", .text, "The secret."),
          .always("hosts", .list(.text), "The hosts that it is sent to."),
        ])), "Secrets, by name."),
  ])

  static let plan = OutputSchema(
    "plan", title: "Plan", "What a run would do; nothing is sent.",
    by: ["run --dry-run --format json"],
    .object([
      .always("pipeline", .text, "The pipeline's name."),
      .maybe("disk_budget", .count, "Bytes that files of steps may take; absent without a limit."),
      .maybe("transfers_budget", .count, "Transfers at once; absent without a limit."),
      .maybe("bytes_per_second", .count, "Bytes in a second; absent without a limit."),
      .always("rates", .map(.text), "Limits of requests by name, in words."),
      .always("inputs", .map(.text), "Values of the inputs; those of secrets are `***`."),
      .maybe("shard", .text, "The shard of `--shard`, such as `3/16`."),
      .maybe("shard_files", .map(.count), "Numbers of files of the inputs that are of that shard."),
      .always("files", .map(planFiles), "Files of each input of the type `files`."),
      .always("loops", .list(.text), "The loops, in words."),
      .maybe("first_item", .text, "The first item; absent if it is not known yet."),
      .always("steps", .list(planStep), "The steps, with the requests for the first item."),
      .always("audit", auditShape, "What the pipeline contacts, reads and writes."),
    ]))

  private static let planFiles = OutputShape.object([
    .always("files", .count, "Number of files."), .always("bytes", .count, "Their bytes."),
    .always(
      "left_out",
      .list(
        .object([
          .always("cause", .word(GlobReport.Cause.allCases.map(\.rawValue)), "Why."),
          .always("count", .count, "How many."),
          .always("names", .list(.text), "The names of the first 20."),
        ])), "What matches and is not sent."),
    .always("warnings", .list(.text), "What cannot be read."),
  ])

  private static let planStep = OutputShape.object([
    .always("id", .text, "The step's ID."),
    .always("scope", .text, "`once per run`, or the loop in words."),
    .always("kind", .word(StepKind.allCases.map(\.rawValue)), "The key that says what it does."),
    .always("depends_on", .list(.text), "The steps before it."),
    .maybe("request", .text, "Method and URL."),
    .maybe(
      "headers", .list(.text), "Header fields as `Name: value`, and how the request is signed."),
    .maybe("body", .text, "The body, or where it comes from, in words."),
    .maybe("note", .text, "What is not known yet, in words."),
  ])

  static let rules = OutputSchema(
    "rules", title: "Rules", "Rules of `pipeline validate`.", by: ["rule --format json"],
    .list(
      .object([
        .always("code", .text, "The rule's code."),
        .always("severity", .word(Diagnostic.Severity.allCases.map(\.rawValue)), "How bad it is."),
        .always("family", .word(Check.Family.allCases.map(\.rawValue)), "What it is about."),
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
