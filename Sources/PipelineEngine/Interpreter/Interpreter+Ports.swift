import PipelineCore

/// Carries operations out through the ports.
extension Interpreter {
  /// Carries out one command; cancelling the task ends it soon, with ``/PipelineCore/Verdict/interrupted``.
  ///
  /// `progress` is told the bytes of a transfer so far.
  func perform(
    _ command: Command, through ports: Executor.Ports,
    progress: @escaping @Sendable (EffectID, Int64) -> Void
  ) async -> Verdict {
    let operation = operation(for: command)
    switch operation {
    case .none(let verdict): return verdict
    case .send(let request):
      return verdict(on: await ports.requests.send(request), to: operation, of: command)
    case .upload(let request, let file):
      let id = command.id
      let answer = await ports.transfers.upload(
        request, file: file, path: ports.files.absolutePath(of: file),
        progress: { progress(id, $0) })
      return verdict(on: answer, to: operation, of: command)
    case .materialize(let plan, let path):
      let begun = ports.clock.now()
      let outcome: Result<FileValue, FileFailure>
      do throws(FileFailure) {
        outcome = .success(try await ports.files.materialize(plan, at: path))
      } catch {
        outcome = .failure(error)
      }
      return verdict(on: outcome, duration: ports.clock.now() - begun, of: command)
    }
  }
}
