import DemoServer

/// Tests, simulations and the demo server; the reports of `simulate` and `verify` have files of their own.
extension OutputSchema {
  static let testReport = OutputSchema(
    "test-report", title: "Test report", "The results of the cases.", by: ["test --format json"],
    TestReportForm.shape)

  static let trace = OutputSchema(
    "trace", title: "Event of a simulation", "What happened, in that order.",
    by: ["simulate --trace FILE"], isLines: true, OutputShape.events(TraceLines.forms))

  static let journal = OutputSchema(
    "journal", title: "Request to the demo server", "What the server did with a request.",
    by: ["demo-server --journal FILE"], isLines: true,
    .object(JournalEntry.members))
}
