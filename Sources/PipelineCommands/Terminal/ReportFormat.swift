package import ArgumentParser

/// The form of a report.
package enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// The form of a report, as an option.
package struct FormatOptions: ParsableArguments {
  @Option(help: "Form of the report.")
  package var format: ReportFormat = .text

  package init() {}
}
