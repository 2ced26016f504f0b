import DemoServer

/// The demo server inside this process, for `--demo`.
struct EmbeddedServer {
  private let server: DemoServer
  var baseURL: String { server.baseURL }

  /// Starts the server; uploads are in the state folder, so that a resumed run finds them again.
  static func start(
    in state: StateFolder, latency: Duration = .zero
  ) async throws -> EmbeddedServer {
    var configuration = DemoServer.Configuration()
    let folder = state.path + "/demo-server"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure.environment("cannot create '\(folder)': \(StateFolder.reason(error))")
    }
    configuration.storage = .folder(folder)
    configuration.faults = FaultPlan(standard: FaultProfile(latency: latency...latency))
    configuration.registryFile = folder + "/registry.ndjson"
    do {
      return EmbeddedServer(server: try await DemoServer.start(configuration))
    } catch { throw CommandFailure.environment("cannot start the embedded server: \(error)") }
  }

  /// The inputs that `--demo` sets, by name.
  static func presets(baseURL: String) -> [String: String] {
    ["server": baseURL, "user": "demo", "password": "demo"]
  }

  func stop() async { await server.stop() }
}
