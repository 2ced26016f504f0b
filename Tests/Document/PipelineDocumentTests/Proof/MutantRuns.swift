import CEL
import PipelineCore
import PipelineDocument
import PipelineEngine
import PipelineSimulator

/// The outcome of running a pipeline in every scenario of a server.
struct MutantRuns {
  /// The values that a caller passes, whether or not there is a default.
  static let given = [
    "server": "http://server", "user": "demo", "password": "pa55w0rd", "token": "ap1t0k3n",
    "large": "1 MiB",
  ]

  /// The outcome of each scenario: the server's files, how items ended, what leaked, and whether the disk sufficed.
  static func outcomes(
    of pipeline: Pipeline, disk: Int64?, until expected: [String]? = nil
  ) -> [String] {
    var outcomes: [String] = []
    for (index, scenario) in UploadServer.Scenario.allCases.enumerated() {
      outcomes.append(outcome(of: pipeline, scenario, disk: disk))
      // One difference is enough.
      if let expected, outcomes[index] != expected[index] { break }
    }
    return outcomes
  }

  private static func outcome(
    of pipeline: Pipeline, _ scenario: UploadServer.Scenario, disk: Int64?
  ) -> String {
    let sizes: [Int64] =
      scenario == .largeFiles
      ? Array(repeating: 200 << 20, count: 4) : [100, 2 << 20, 0, 700_000, 5 << 20]
    let files = sizes.enumerated().map { index, size in
      FileValue(
        path: "/in/\(index).jpg", name: "\(index).jpg", size: size, modified: 0,
        contentType: "image/jpeg")
    }
    guard let (inputs, secrets) = values(pipeline, files) else { return "\(scenario): refused" }
    let proof = ProofRun(
      pipeline, values: inputs, secrets: secrets, files: files,
      server: UploadServer(scenario, files: files),
      crashInterval: scenario == .crashes ? 9 : nil)
    guard let state = try? proof.run.table.load(), let server = proof.run.server as? UploadServer
    else { return "\(scenario): not stored" }
    let items = proof.items.map { $0.map { "\($0.status)" } }
    let stored = "\(state.inputs) \(state.frame) \(proof.items)"
    let leaks = UploadServer.secrets.filter(stored.contains)
    let isWithin = disk.map { proof.notes.reservedBytes <= $0 } ?? true
    return """
      \(scenario): \(proof.run.outcome == .rested) \(state.status) \(items) \(server.summary) \
      leaks \(leaks) within \(isWithin)
      """
  }

  private static func values(
    _ pipeline: Pipeline, _ files: [FileValue]
  ) -> (inputs: [String: Value], secrets: [String: Value])? {
    var inputs: [String: Value] = [:]
    var secrets: [String: Value] = [:]
    for input in pipeline.inputs {
      switch input.kind {
      case .files: break
      case .file: inputs[input.name] = files[0].value
      default:
        guard let text = given[input.name],
          let value = try? InputValues.parse(input, text)
        else { return nil }
        if input.kind == .secret {
          secrets[input.name] = value
        } else {
          inputs[input.name] = value
        }
      }
    }
    return (inputs, secrets)
  }
}
