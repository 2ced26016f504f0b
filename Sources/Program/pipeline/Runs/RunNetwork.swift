import PipelineHTTP
import PipelineSigning

/// Where and how a process sends requests.
struct RunNetwork {
  /// What does not depend on the pipeline.
  let connections: HTTPTransportConfiguration
  let credentials: [GivenCredential]
  /// How long to wait for a network if no host has responded yet.
  let timeout: Duration

  /// The keys for the credentials of a pipeline; throws if one is missing, or unknown, or has no key.
  func givenKeys(for pipeline: Pipeline) throws -> [String: RequestSigner.GivenKeys] {
    let wanted = pipeline.givenCredentials
    var keys: [String: RequestSigner.GivenKeys] = [:]
    for given in credentials {
      guard wanted.contains(given.name) else {
        throw CommandFailure.invalid(
          "--credentials \(given.name): the pipeline declares no credentials with this name that accept keys from the command line"
            + (wanted.isEmpty ? "" : "; it has '\(wanted.joined(separator: "', '"))'"))
      }
      keys[given.name] = .init(values: try given.source.values(), host: given.host)
    }
    if let missing = wanted.first(where: { keys[$0] == nil }) {
      throw CommandFailure.invalid(
        "the credentials '\(missing)' have no keys: "
          + "use --credentials \(missing)=profile:PROFILE@HOST or --credentials \(missing)=environment@HOST"
      )
    }
    return keys
  }

  /// The transport configuration of a process; `shares` is how many runs it works on at once.
  func transport(
    of pipeline: Pipeline, isServerHere: Bool, shares: Int = 1
  ) -> HTTPTransportConfiguration {
    var configuration = connections
    configuration.bytesPerSecond = pipeline.budgets.bytesPerSecond.map {
      max($0 / Int64(shares), 1)
    }
    configuration.digester = { StreamDigester($0) }
    configuration.exchanges = max(
      OpenFileLimit.current.exchanges(loops: HTTPTransport.loopCount, isServerHere: isServerHere)
        / shares, 1)
    return configuration
  }
}
