import CEL

/// Steps whose tokens the credential store keeps: the stored sign-in replaces the run's values.
extension Interpreter {
  /// How a command starts, depending on the stored sign-in.
  public enum SignInBeginning: Sendable {
    /// It is performed with these values.
    case perform(Command)
    /// It ends without a request; the sign-in to store instead, if anything changes.
    case conclude(Verdict, StoredCredential?)
  }

  /// Which sign-in the command uses; `nil` if the store keeps nothing of its step.
  public func signIn(
    of command: Command
  ) throws(EvaluationFailure) -> (signIn: SignIn, id: CredentialID)? {
    guard case .attempt = command.action, let step = evaluator.pipeline.step(of: command.id),
      let signIn = step.signIn
    else { return nil }
    func text(_ template: Template) throws(EvaluationFailure) -> String {
      let references = template.expressions.flatMap(\.compiled.references)
      // A name is stored in clear.
      guard !references.contains(where: { evaluator.pipeline.secretNames.contains($0.variable) })
      else { return "***" }
      return try evaluator.text(template, command.scope)
    }
    return (
      signIn,
      CredentialID(
        tokenURL: try text(signIn.tokenURL), client: try text(signIn.client),
        origin: try evaluator.text(signIn.origin, command.scope))
    )
  }

  /// Starts the command with the stored sign-in: a token that was used is never used again.
  public func begin(
    _ command: Command, of signIn: SignIn, _ id: CredentialID, stored: StoredCredential?
  ) -> SignInBeginning {
    guard let step = evaluator.pipeline.step(of: command.id) else { return .perform(command) }
    let frame = command.scope.frame(of: step)
    let state = frame.indices.contains(step.position) ? frame[step.position] : StepState()
    let earlier = state.previous.isEmpty ? state.outputs : state.previous
    guard let output = signIn.output else {
      guard let stored, !stored.isRefused else { return .perform(command) }
      // The user need not be asked; nothing reads these values.
      return .conclude(.success(result(of: step) { _ in .string("") }), nil)
    }
    guard let asks = signIn.asks else {
      if stored == nil, !earlier.isEmpty,
        Self.value("origin", earlier, step) ?? id.origin == id.origin
      {
        return .conclude(
          .pause(
            Failure(
              "the credential store has no sign-in of '\(signIn.name)', and the token that was passed has been used: sign in again, and pass the new token"
            )), nil)
      }
      return .perform(recalling(stored, output, id, step, command))
    }
    if step.kind == .poll { return beginPoll(command, step, output, asks, earlier, stored) }
    guard let stored, !stored.isRefused else {
      return .conclude(.expired(step: asks, Failure("no one has signed in")), nil)
    }
    return .perform(recalling(stored, output, id, step, command))
  }

  /// Waits for the user unless someone has signed in, in this run or in another.
  private func beginPoll(
    _ command: Command, _ step: Step, _ output: Int, _ asks: Int, _ earlier: [OutputValue],
    _ stored: StoredCredential?
  ) -> SignInBeginning {
    if let stored, !stored.isRefused {
      if earlier.indices.contains(output), earlier[output].value == .string(stored.token) {
        return .conclude(
          .expired(step: asks, Failure("the token was refused")),
          StoredCredential(token: stored.token, isRefused: true))
      }
      return .conclude(
        .success(result(of: step) { $0 == output ? .string(stored.token) : .null }), nil)
    }
    let code = evaluator.state(of: asks, in: command.scope)?.outputs.first
    guard code?.value != .string("") else {
      return .conclude(.expired(step: asks, Failure("the sign-in was removed")), nil)
    }
    return .perform(command)
  }

  /// The sign-in to store after the command; `nil` if nothing changes.
  public func kept(
    after verdict: Verdict, of command: Command, _ signIn: SignIn, stored: StoredCredential?
  ) -> StoredCredential? {
    switch verdict {
    case .success(let result):
      guard let output = signIn.output, result.outputs.indices.contains(output),
        case .string(let token)? = result.outputs[output].value
      else { return nil }
      let new = StoredCredential(token: token)
      return new == stored ? nil : new
    case .expired(let step, _, _):
      guard let stored, !stored.isRefused, signIn.output != nil, step == signIn.asks else {
        return nil
      }
      return StoredCredential(token: stored.token, isRefused: true)
    case .results, .retry, .fail, .pause, .pauseRun, .stale, .unknown, .uncertain, .unavailable,
      .poll, .interrupted,
      .notDone, .itemDone, .itemSkipped:
      return nil
    }
  }

  /// Performs a command with the stored sign-in.
  func withSignIn(
    _ command: Command, in store: (any CredentialStore)?,
    _ perform: @escaping @Sendable (Command) async -> Verdict
  ) async -> Verdict {
    let known: (signIn: SignIn, id: CredentialID)?
    do throws(EvaluationFailure) { known = try signIn(of: command) } catch {
      return .fail(error.failure)
    }
    guard let (signIn, id) = known else { return await perform(command) }
    guard let store else {
      return .fail(Failure("this program has no credential store, which '\(signIn.name)' needs"))
    }
    do throws(CredentialFailure) {
      return try await store.withCredential(id) { stored in
        switch begin(command, of: signIn, id, stored: stored) {
        case .conclude(let verdict, let changed): return (changed, verdict)
        case .perform(let command):
          let verdict = await Self.untilItsEnd { await perform(command) }
          return (kept(after: verdict, of: command, signIn, stored: stored), verdict)
        }
      }
    } catch {
      return error.isInterruption
        ? .interrupted : .pause(Failure("the sign-in of '\(signIn.name)': \(error.message)"))
    }
  }

  /// Performs an exchange that may use up a token: an interruption leaves it a few seconds,
  /// so that the replacement of the token is not lost.
  private static func untilItsEnd(
    _ exchange: @escaping @Sendable () async -> Verdict
  ) async -> Verdict {
    let work = Task { await exchange() }
    return await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      Task {
        try? await Task.sleep(for: .seconds(5))
        work.cancel()
      }
    }
  }

  /// The command with the stored sign-in in the place of its step's results.
  private func recalling(
    _ stored: StoredCredential?, _ output: Int, _ id: CredentialID, _ step: Step, _ command: Command
  ) -> Command {
    var scope = command.scope
    let values = result(of: step) { $0 == output ? stored.map { .string($0.token) } : nil }
    scope.recall(values.outputs, of: step)
    return command.with(scope: scope)
  }

  private func result(of step: Step, _ value: (Int) -> Value?) -> StepResult {
    StepResult(
      outputs: step.outputs.enumerated().map { index, output in
        OutputValue(value: value(index), isSecret: output.isSecret, isSealed: output.isSealed)
      })
  }

  private static func value(_ name: String, _ outputs: [OutputValue], _ step: Step) -> String? {
    guard let index = step.outputs.firstIndex(where: { $0.name == name }),
      outputs.indices.contains(index), case .string(let text)? = outputs[index].value
    else { return nil }
    return text
  }
}
