import PipelineHTTP
import PipelineSigning

/// What a worker needs of its machine for all runs.
struct WorkerPlace {
  let records: ExchangeRecords
  let scratch: ScratchFolder
}

/// What a worker adds to a pipeline: nothing of it is in the database.
struct WorkerMeans {
  let secrets: [String: Value]
  let sealer: AESGCMSealer?
  /// The pipeline with the limits of the command line.
  let limited: Pipeline
  /// With the machine's bandwidth and its descriptors, which all shards of the worker share.
  let network: HTTPTransportConfiguration
  let keys: [String: RequestSigner.GivenKeys]
  let networkTimeout: Duration
}

extension DatabaseWork {
  /// Prepares everything that could fail on this machine; only then is anything recorded in the database.
  ///
  /// - Parameter definition: The pipeline of the only run to work on.
  func place(for definition: Definition? = nil) async throws -> WorkerPlace {
    PrivateProcess.keepFiles()
    if let definition { _ = try means(for: definition, root: nil, isPaced: false) }
    let place = WorkerPlace(
      records: try options.openRecords(), scratch: try ScratchFolder(in: state.path + "/workers"))
    try await database.runs.requireWritable()
    return place
  }

  /// - Parameters:
  ///   - origin: The folder that the run was started for, if the command line names none.
  ///   - isPaced: Whether the run's leases divide the rates, so that the worker does not.
  func means(for definition: Definition, root origin: String?, isPaced: Bool) throws -> WorkerMeans
  {
    let limited = options.limiting(definition.pipeline, shares: isPaced ? 1 : worker.atMost)
    var network = options.network.transport(of: limited, isServerHere: false, shares: worker.atMost)
    let digest = AllowedPipeline.digest(of: definition.text)
    network.allowedHosts =
      allowedPipelines.first { $0.digest == digest }?.hosts ?? network.allowedHosts
    return WorkerMeans(
      secrets: try InputResolver(definition, inputs, root: root ?? origin).resolveSecrets(),
      sealer: try key.sealer(for: definition.pipeline, outside: state), limited: limited,
      network: network, keys: try options.network.givenKeys(for: definition.pipeline),
      networkTimeout: options.network.timeout)
  }
}
