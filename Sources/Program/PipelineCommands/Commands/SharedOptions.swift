extension FindingFormat: ExpressibleByArgument {}
extension ProgressMode: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}

package struct FormatOptions: ParsableArguments {
  @Option(help: "Report format.") package var format: ReportFormat = .text

  package init() {}
}

/// Which files a document may refer to.
package struct RootOption: ParsableArguments {
  @Option(
    name: .customLong("root"),
    help: .help(
      "Folder that contains the files the document refers to (default: the document's own folder).",
      "dir")) package var folder: String?

  package init() {}
}
