extension SimulatedRun {
  /// Ends the process if a fault demands it, and starts the next one.
  mutating func crashes(at point: CrashPoint) -> Bool {
    guard faultHooks?.endsProcess(at: point) == true else { return false }
    terminate()
    relaunch()
    return true
  }

  mutating func terminate() {
    guard core != nil else { return }
    faultHooks?.processEnded()
    core = nil
    queue = EventQueue()
    // The transfer service outlives the process.
    inFlight = inFlight.filter { $0.value.operation.transfer != nil }
    isSessionAdopted = false
    timer += 1
    blockers = [:]
    note(.processEnded)
  }

  mutating func relaunch() {
    guard core == nil, outcome == nil else { return }
    do throws(StoreFailure) { try launch(.runResumed) } catch { end(.storeFailed(error)) }
  }

  mutating func launch(_ first: Event) throws(StoreFailure) {
    let epoch = try table.claim()
    var state = try table.load()
    state.secrets = secrets
    state.time = clocks.anchor(state, at: now)
    disk.sweep(keeping: RunCore.heldFiles(of: state))
    core = RunCore(state, epoch: epoch, evaluator: interpreter.evaluator)
    tally.forgetWaits()
    note(.processBegan(resumed: first == .runResumed))
    if settings.sendsPieces, faultHooks?.tellsLimits != true {
      queue.post(.limitsKnown(ProcessLimits(sendsPieces: true)), fromDevice: true)
    }
    queue.post(first, fromDevice: true)
    for request in requests { queue.post(request, fromDevice: true) }
    act(device.processBegan(at: now))
  }

  /// Deletes the files that the run created: a transfer that has not started then has nothing to send (TX16).
  mutating func purgeFiles() {
    disk.sweep(keeping: [])
    guard var phone = device as? PhoneDevice else { return }
    for (id, flight) in inFlight {
      // A body that is generated while it is sent is not a file that can be deleted.
      guard case .upload(_, let file, let body) = flight.operation, body == Body(file),
        !file.isUsers
      else { continue }
      phone.fileDeleted(id)
    }
    device = phone
  }

  mutating func act(_ actions: [DeviceAction]) {
    for action in actions {
      switch action {
      case .change(let change):
        note(.allowance(change))
        switch change {
        case .granted(let until):
          queue.resume(with: .allowanceGranted(until: until.map { $0 + clocks.lead }))
        case .expiring: queue.post(.allowanceExpiring, fromDevice: true)
        }
      case .setAlarm(let alarm, let instant): agenda.schedule(.alarm(alarm), at: max(instant, now))
      case .beginTransfer(let id, let duration):
        guard let flight = inFlight[id], let request = flight.operation.transfer?.request
        else { continue }
        var upload: (file: FileValue, body: Body)?
        if case .upload(_, let file, let body) = flight.operation { upload = (file, body) }
        send(request, upload, for: flight.sender ?? flight.command, after: duration)
      case .deliver(let id):
        guard let flight = inFlight[id], let response = flight.response else { continue }
        deliver(id, response, flight)
      case .ask(let id, let renewal):
        guard inFlight[id] != nil else { continue }
        note(.asked(id, renewal))
        queue.post(.renewalRequested(id, renewal))
      case .failTransfer(let id, let error):
        guard let flight = inFlight[id] else { continue }
        let response = failure(
          error.kind, error.message, mayHaveBeenSent: error.mayHaveBeenSent,
          flight.operation.transfer?.request.url ?? "")
        note(.answered(id, response))
        conclude(id, verdict(on: response, flight))
      case .terminate: terminate()
      case .restartDevice:
        clocks.restart(at: now)
        note(.deviceRestarted)
      case .launch: relaunch()
      }
    }
  }
}

/// Sign-ins that outlive processes, with the rules of real runs.
extension SimulatedRun {
  /// The command with its step's stored sign-in; `nil` if it ends without a request.
  mutating func withSignIn(_ command: Command) -> Command? {
    guard let (signIn, id) = try? interpreter.signIn(of: command) else { return command }
    switch interpreter.begin(command, of: signIn, id, stored: credentials[id]) {
    case .perform(let command): return command
    case .conclude(let verdict, let changed):
      if let changed { credentials[id] = changed }
      conclude(command.id, verdict)
      return nil
    }
  }

  /// Stores the result of a step before anything uses it.
  mutating func keepSignIn(_ verdict: Verdict, of command: Command) {
    guard let (signIn, id) = try? interpreter.signIn(of: command),
      let new = interpreter.kept(after: verdict, of: command, signIn, stored: credentials[id])
    else { return }
    credentials[id] = new
  }
}
