import DemoServer

struct DemoServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "demo-server", "Serve the reference upload API, with configurable faults.",
    status: ExitStatus.help([
      (.done, "stopped by Ctrl-C"), (.environment, "cannot listen, or cannot write its files"),
      (.usage, ExitStatus.usage.meaning),
    ]))

  @Option(help: "Address to listen on.") var host = "127.0.0.1"
  @Option(help: "Port to listen on; 0 picks a free one.") var port = 8080
  @Option(help: "User name for signing in.") var user = "demo"
  @Option(help: "The user's password.") var password = "demo"
  @Option(help: .help("How long a token is valid.", "duration")) var tokenLifetime = "1h"
  @Option(help: .help("How long an upload may stay open.", "duration")) var uploadLifetime = "1h"
  @Option(help: .help("Delay before each response.", "duration")) var latency = "0s"

  @Option(help: .help("How fast bodies are read, in bytes per second.", "size")) var bodyRate:
    String?

  @Option(help: .help("How far ahead the server's clock is.", "duration")) var clockOffset = "0s"

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      "A fault and its probability: \(Fault.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name=p")) var faults: [String] = []

  @Option(help: .help("Value of Retry-After in 429 responses.", "duration")) var retryAfter = "1s"

  @Option(
    help: .help(
      "Suspend the process at this request, like a server that hangs; `kill -CONT` resumes it.",
      "number")) var suspendAt: [Int] = []

  @Option(help: "Random seed of the faults.") var seed: UInt64 = 1

  @Option(
    help: .help("Store uploads in this folder, and load them again on the next start.", "dir"))
  var store: String?

  @Option(help: .help("Append each request to this file, as NDJSON.", "file")) var journal: String?

  func run() async throws {
    let configuration = try self.configuration()
    let server: DemoServer
    do { server = try await DemoServer.start(configuration) } catch {
      throw CommandFailure.environment(reason(error))
    }
    Terminal.print("listening on \(server.baseURL)")
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    InterruptSignals.process.onFirst { continuation.finish() }
    for await _ in stream {}
    await server.stop()
  }

  private func reason(_ error: any Error) -> String {
    let text = "\(error)"
    // The networking library includes the system's message only inside its own text.
    guard text.contains("errno: \(EADDRINUSE)") else {
      return "the server cannot listen on \(host):\(port): \(text)"
    }
    return "port \(port) of \(host) is in use by another program; --port 0 picks a free one"
  }

  private func configuration() throws -> DemoServer.Configuration {
    var configuration = DemoServer.Configuration()
    guard (0...65535).contains(port) else {
      throw ValidationError("--port \(port): expected 0 to 65535; 0 picks a free port.")
    }
    (configuration.host, configuration.port) = (host, port)
    (configuration.user, configuration.password) = (user, password)
    configuration.tokenLifetime = try Arguments.duration(tokenLifetime, for: "--token-lifetime")
    configuration.uploadLifetime = try Arguments.duration(uploadLifetime, for: "--upload-lifetime")
    configuration.clockOffset = try Arguments.duration(clockOffset, for: "--clock-offset")
    if let store {
      let folder = StateFolder.absolute(store)
      // If the folder cannot be created, the server reports that when it opens its files.
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      configuration.storage = .folder(folder)
      configuration.registryFile = folder + "/registry.ndjson"
    }
    configuration.journalFile = journal
    configuration.journalRetention = .countersOnly
    if let number = suspendAt.first(where: { $0 < 1 }) {
      throw ValidationError("--suspend-at \(number): expected 1 or more; requests count from 1.")
    }
    let delay = try Arguments.duration(latency, for: "--latency")
    configuration.faults = FaultPlan(
      seed: seed,
      standard: FaultProfile(
        probabilities: try probabilities(), latency: delay...delay,
        retryAfter: try Arguments.duration(retryAfter, for: "--retry-after"),
        bodyBytesPerSecond: try bodyRate.map {
          let rate = try Arguments.size($0, for: "--body-rate")
          guard rate > 0 else { throw ValidationError("--body-rate must be more than 0.") }
          return Int(clamping: rate)
        }), suspendAt: Set(suspendAt))
    return configuration
  }

  private func probabilities() throws -> [Fault: Double] {
    var probabilities: [Fault: Double] = [:]
    for text in faults {
      let parts = text.split(separator: "=")
      guard parts.count == 2, let fault = Fault(rawValue: String(parts[0])),
        let probability = Double(parts[1]), (0...1).contains(probability)
      else {
        let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--fault '\(text)': expected NAME=P, where NAME is one of \(names).")
      }
      probabilities[fault] = probability
    }
    return probabilities
  }
}
