import ArgumentParser
import PipelineCommands
import PipelineEngine

struct RecordOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help:
      "Show each exchange with a server in a line; -vv shows headers and bodies, without secrets.")
  var verbose: Int

  @Option(
    name: .customLong("log"),
    help: .help(
      "Append to a file what happens, with each exchange in a line (with -vv: headers and bodies), instead of showing it.",
      "file"),
    completion: .file())
  var logFile: String?

  @Option(
    name: .customLong("trace"),
    help: .help(
      "Write all exchanges, without secrets, to a HAR 1.2 file, which the developer tools of browsers open.",
      "file"),
    completion: .file(extensions: ["har"]))
  var traceFile: String?

  func open() throws(CommandFailure) -> ExchangeRecords {
    ExchangeRecords(
      log: try logFile.map { path throws(CommandFailure) in
        try LogFile(PrivateFile(path, for: "--log"), isDetailed: verbose > 1)
      },
      trace: try traceFile.map { path throws(CommandFailure) in
        try HARFile(PrivateFile(path, for: "--trace"))
      },
      shown: logFile == nil ? verbose : 0)
  }
}
