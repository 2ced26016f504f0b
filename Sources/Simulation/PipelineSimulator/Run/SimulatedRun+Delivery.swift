import PipelineSigning

extension SimulatedRun {
  /// Lets a transfer continue that asked, with a new request or the old one.
  mutating func renew(_ id: EffectID, _ decision: RenewalDecision) {
    guard let flight = inFlight[id], let transfer = flight.operation.transfer else { return }
    var renewal = interpreter.renderedRenewal(for: id, decision)
    if case .request(let request) = renewal {
      let signed = authorized(flight.operation.with(request: request))
      renewal = signed.request.map(RenderedRenewal.request) ?? .unchanged
    }
    let request = renewal.applied(to: transfer.request)
    switch (flight.operation, decision) {
    case (.upload(_, let file, let body), .authorization(let scope)),
      (.upload(_, let file, let body), .request(let scope)):
      inFlight[id]?.operation = .upload(request, file, body)
      inFlight[id]?.sender = Command(id: id, action: .attempt(reservedBytes: 0), scope: scope)
    case (.download(_, let plan, let path), .authorization(let scope)),
      (.download(_, let plan, let path), .request(let scope)):
      inFlight[id]?.operation = .download(request, plan, path: path)
      inFlight[id]?.sender = Command(id: id, action: .attempt(reservedBytes: 0), scope: scope)
    default: break
    }
    if renewal != .unchanged { inFlight[id]?.response = nil }
    note(.renewed(id, isAnew: renewal != .unchanged))
    act(device.transferRenewed(id, isAnew: renewal != .unchanged, at: now))
  }

  /// The operation with its request signed by the authorizer of real runs, with virtual time.
  func authorized(_ operation: PortOperation) -> PortOperation {
    do throws(FileFailure) {
      var digests: [DigestAlgorithm: String] = [:]
      if let plan = interpreter.bodyToDigest(for: operation) {
        digests = try self.digests(of: plan.body, plan.digests)
      }
      return try trailed(
        interpreter.authorized(
          operation, digests: digests, at: runTime, by: RequestSigner.simulated))
    } catch { return .none(Interpreter.verdict(on: error)) }
  }

  /// The operation with its trailers among its headers: a server sees both.
  private func trailed(_ operation: PortOperation) throws(FileFailure) -> PortOperation {
    guard case .upload(var request, let file, let body) = operation, !request.trailers.isEmpty
    else { return operation }
    let digests = try digests(of: body, request.trailers.flatMap(\.digests))
    request.headers += request.trailers.map { $0.header(digests) }
    return .upload(request, file, body)
  }

  private func digests(
    of body: Body, _ algorithms: [DigestAlgorithm]
  ) throws(FileFailure) -> [DigestAlgorithm: String] {
    var digests: [DigestAlgorithm: String] = [:]
    for algorithm in Set(algorithms) { digests[algorithm] = try disk.digest(of: body, algorithm) }
    return digests
  }

  /// Delivers a transfer's response to the process; by then, a download is on the disk.
  mutating func deliver(_ id: EffectID, _ response: Response, _ flight: InFlightCommand) {
    if let time = serverTime(in: response, flight) { queue.post(time) }
    let verdict = verdict(on: response, flight)
    if case .upload(_, let file, _) = flight.operation, response.error == nil {
      tally.count(verdict, of: file)
    }
    guard case .download(_, let plan, let path) = flight.operation else {
      conclude(id, verdict)
      return
    }
    guard case .success = verdict, Interpreter.hasFile(response) else {
      conclude(id, interpreter.verdict(on: verdict, file: nil))
      return
    }
    do throws(FileFailure) {
      let file = try disk.receiveDownload(
        plan, response.body, size: response.header("content-length").flatMap { Int64($0) },
        contentType: response.header("content-type"), at: path, now: now)
      conclude(id, interpreter.verdict(on: verdict, file: file))
    } catch { conclude(id, interpreter.verdict(on: error, of: flight.command)) }
  }

  /// The verdict on a download whose file already exists; `nil` if it has to be requested.
  mutating func verdict(onPresent operation: PortOperation, _ command: Command) -> Verdict? {
    guard case .download(_, let plan, let path) = operation else { return nil }
    do throws(FileFailure) {
      guard let file = try disk.present(plan, at: path) else {
        if let save = plan.save { try disk.checkPlace(save, for: path) }
        return nil
      }
      return interpreter.verdict(onPresent: file, of: plan, command.id)
    } catch { return interpreter.verdict(on: error, of: command) }
  }
}
