extension Interpreter {
  /// Performs one command; cancelling the task ends it soon, with ``/PipelineCore/Verdict/interrupted``.
  func perform(
    _ command: Command, through ports: Executor.Ports, board: TransferBoard,
    learn: @escaping @Sendable (Event) -> Void,
    ask: @escaping @Sendable (EffectID, Renewal) async -> RenewalDecision
  ) async -> Verdict {
    let report = TransferReport(id: command.id, board: board)
    return await withSignIn(command, in: ports.credentials) { command in
      guard let observer = ports.exchanges else {
        return await carryOut(command, ports, report, learn, ask)
      }
      let context = ExchangeContext(command, evaluator, observer: observer)
      return await ExchangeContext.$current.withValue(context) {
        await carryOut(command, ports, report, learn, ask)
      }
    }
  }

  private func carryOut(
    _ command: Command, _ ports: Executor.Ports, _ report: TransferReport,
    _ learn: @escaping @Sendable (Event) -> Void,
    _ ask: @escaping @Sendable (EffectID, Renewal) async -> RenewalDecision
  ) async -> Verdict {
    let operation = await authorized(operation(for: command), through: ports)
    let renew: TransferService.Renew = { renewal in
      let decision = await ask(command.id, renewal)
      return await authorized(
        renderedRenewal(for: command.id, decision), in: operation, through: ports)
    }
    func noteHops(of response: Response?) {
      let hops = response.map { evaluator.hops(of: $0, command.scope) } ?? []
      if !hops.isEmpty { learn(.redirected(command.id, hops)) }
    }
    func judge(_ response: Response) -> Verdict {
      noteHops(of: response)
      if let clock = serverTime(in: response, to: operation, of: command) {
        learn(.serverTimeRead(clock))
      }
      return verdict(on: response, to: operation, of: command)
    }
    switch operation {
    case .none(let verdict): return verdict
    case .send(let request): return judge(await ports.requests.send(request))
    case .upload(let request, _, let body):
      report.begin(size: body.size, isDownload: false, from: body.offset)
      let response = await ports.transfers.upload(
        request, body: body, paths: ports.files.absolutePath, renew: renew, progress: report.note)
      return judge(response)
    case .download(let request, let plan, let path):
      report.begin(size: plan.size, isDownload: true)
      do throws(FileFailure) {
        if let file = try await ports.files.present(plan, at: path) {
          return verdict(onPresent: file, of: plan, command.id)
        }
      } catch { return verdict(on: error, of: command) }
      return await receiveDownload(plan, path, operation, command, ports, report) {
        sink async throws(FileFailure) in
        let response = try await ports.transfers.download(
          request, into: sink, renew: renew, progress: report.note)
        noteHops(of: response)
        return response
      }
    case .adopt(let transfer, let file):
      return await adopt(transfer, file, operation, command, ports, renew, report)
    case .materialize(let plan, let path):
      let begun = ports.clock.now()
      let outcome: Result<FileValue, FileFailure>
      do throws(FileFailure) {
        outcome = .success(try await ports.files.materialize(plan, at: path))
      } catch { outcome = .failure(error) }
      return verdict(on: outcome, duration: ports.clock.now() - begun, of: command)
    }
  }

  /// The operation with its request signed, after the body was read if the signature needs its digest.
  private func authorized(
    _ operation: PortOperation, through ports: Executor.Ports
  ) async -> PortOperation {
    var digests: [DigestAlgorithm: String] = [:]
    if let plan = bodyToDigest(for: operation) {
      do throws(FileFailure) {
        digests = try await ports.files.materialize(plan, at: plan.name).digests
      } catch { return .none(Self.verdict(on: error)) }
    }
    return authorized(operation, digests: digests, at: ports.clock.now(), by: ports.authorizer)
  }

  private func authorized(
    _ renewal: RenderedRenewal, in operation: PortOperation, through ports: Executor.Ports
  ) async -> RenderedRenewal {
    guard case .request(let request) = renewal, request.signing != nil else { return renewal }
    let signed = await authorized(operation.with(request: request), through: ports)
    return signed.request.map(RenderedRenewal.request) ?? .unchanged
  }

  private func adopt(
    _ transfer: TransferSettings, _ file: AdoptedFile, _ operation: PortOperation,
    _ command: Command, _ ports: Executor.Ports, _ renew: @escaping TransferService.Renew,
    _ report: TransferReport
  ) async -> Verdict {
    switch file {
    case .sent(_, let bytes):
      report.begin(size: bytes, isDownload: false)
      do throws(FileFailure) {
        let response = try await ports.transfers.adopt(
          transfer, into: nil, renew: renew, progress: report.note)
        return response.map { verdict(on: $0, to: operation, of: command) } ?? .interrupted
      } catch { return Self.verdict(on: error) }
    case .received(let plan, let path):
      report.begin(size: plan.size, isDownload: true)
      return await receiveDownload(plan, path, operation, command, ports, report) {
        sink async throws(FileFailure) in
        try await ports.transfers.adopt(transfer, into: sink, renew: renew, progress: report.note)
      }
    }
  }

  private func receiveDownload(
    _ plan: DownloadPlan, _ path: String, _ operation: PortOperation, _ command: Command,
    _ ports: Executor.Ports, _ report: TransferReport,
    from transfer: (any FileSink) async throws(FileFailure) -> Response?
  ) async -> Verdict {
    do throws(FileFailure) {
      let sink = MeasuredSink(sink: try await ports.files.sink(for: plan, at: path), report: report)
      let received: Response?
      do throws(FileFailure) { received = try await transfer(sink) } catch {
        // Bytes received before the disk was full, or the process was stopped, remain valid.
        switch error.kind {
        case .noSpace, .tooManyOpenFiles, .interrupted: await sink.suspend()
        case .missing, .unreadable, .changed, .reservationExceeded, .mismatch, .refused, .system:
          await sink.discard()
        }
        throw error
      }
      guard let response = received else {
        await sink.suspend()
        return .interrupted
      }
      let verdict = verdict(on: response, to: operation, of: command)
      guard case .success(let result) = verdict, Self.hasFile(response) else {
        await sink.suspend()
        return self.verdict(
          on: sink.hasProgressed ? progressed(verdict, command) : verdict, file: nil)
      }
      let file = try await sink.publish(contentType: response.header("content-type"))
      return self.verdict(on: .success(result), file: file)
    } catch { return self.verdict(on: error, of: command) }
  }

  /// The verdict on a download that brought more of its file than earlier attempts.
  private func progressed(_ verdict: Verdict, _ command: Command) -> Verdict {
    switch verdict {
    case .retry(let failure, let after, _): .retry(failure, after: after, progressed: true)
    case .unknown(let failure) where evaluator.pipeline.step(of: command.id)?.effect != .create:
      .retry(failure, progressed: true)
    default: verdict
    }
  }
}
