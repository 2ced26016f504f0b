package import ArgumentParser

package enum ReportFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

package struct FormatOptions: ParsableArguments {
  @Option(help: "Report format.")
  package var format: ReportFormat = .text

  package init() {}
}
