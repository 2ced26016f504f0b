import DemoServer
import Foundation
import PipelineCommands

/// The demo server inside this process, for `--demo`.
struct EmbeddedServer {
  private let server: DemoServer

  var baseURL: String { server.baseURL }

  /// Starts the server; what it takes in lies in the state folder, so that a resumed run meets it
  /// again.
  static func start(
    in state: StateFolder, latency: Duration = .zero
  ) async throws -> EmbeddedServer {
    var configuration = DemoServer.Configuration()
    let folder = state.path + "/demo-server"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        .environment, "cannot create '\(folder)': \(StateFolder.reason(error))")
    }
    configuration.storage = .folder(folder)
    configuration.faults = FaultPlan(standard: FaultProfile(latency: latency...latency))
    configuration.registryFile = folder + "/registry.ndjson"
    do {
      return EmbeddedServer(server: try await DemoServer.start(configuration))
    } catch {
      throw CommandFailure(.environment, "the embedded server does not start: \(error)")
    }
  }

  /// The inputs that the server gives, by the names that `--demo` fills in.
  static func presets(baseURL: String) -> [String: String] {
    ["server": baseURL, "user": "demo", "password": "demo"]
  }

  func stop() async { await server.stop() }
}
