import PipelineHTTP

/// Notifies others of a run that has stopped; a failure is a warning, because it does not change the run.
struct FinishHook {
  let finish: Settings.Finish
  let report: RunReport

  private struct Problem: Error { let reason: String }

  /// Notifies, waits until that has ended or its time has passed,
  /// and returns whether the command may end as the run did.
  func tell(_ transport: @Sendable () throws -> HTTPTransport) async -> Bool {
    do {
      switch finish.action {
      case .command(let command): try await run(command)
      case .request(let method, let url, let headers):
        try await send(method, url, headers, try transport())
      }
      return true
    } catch {
      let reason = (error as? Problem)?.reason ?? (error as? CommandFailure)?.message ?? "\(error)"
      Terminal.error("pipeline: warning: on_finish: \(reason)")
      return !finish.isRequired
    }
  }

  // MARK: A command

  private func run(_ command: String) async throws {
    let process = try start(command)
    let end = ContinuousClock.now + finish.timeout
    while true {
      if let status = Self.status(of: process) {
        guard status == 0 else { throw Problem(reason: Self.words(status)) }
        return
      }
      guard ContinuousClock.now < end else { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    // With all that it has started.
    kill(-process, SIGTERM)
    let grace = ContinuousClock.now + .seconds(2)
    while Self.status(of: process) == nil, ContinuousClock.now < grace {
      try await Task.sleep(for: .milliseconds(20))
    }
    kill(-process, SIGKILL)
    let limit = ReportFormatting.duration(finish.timeout)
    throw Problem(reason: "the command took longer than \(limit) and was ended")
  }

  /// The status of a child that has ended; `nil` while it runs.
  private static func status(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == 0 ? nil : status
  }

  private static func words(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0
      ? "the command ended with status \((status >> 8) & 0xff)"
      : "the command was ended by signal \(signal)"
  }

  /// Starts the command in a group of its own; its output is sent to standard error, since the report has the output.
  private func start(_ command: String) throws -> pid_t {
    // A file does not block a command that reads nothing.
    guard let input = tmpfile() else { throw Problem(reason: FileContents.reason(errno)) }
    defer { fclose(input) }
    fputs(report.json() + "\n", input)
    rewind(input)
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    // A child inherits ignored signals, and could not be ended then.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    let words = ["/bin/sh", "-c", command]
    let settings = environment.map { "\($0.key)=\($0.value)" }
    let arguments = words.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    let variables = settings.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables)
    guard code == 0 else {
      throw Problem(reason: "the command cannot be started: \(FileContents.reason(code))")
    }
    return process
  }

  private var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["PIPELINE_RUN"] = report.id.rawValue
    environment["PIPELINE_STATUS"] = report.statusWord
    environment["PIPELINE_NAME"] = report.name
    return environment
  }

  // MARK: A request

  private func send(
    _ method: Settings.Finish.Method, _ url: String, _ headers: [String: String],
    _ transport: HTTPTransport
  ) async throws {
    var request = RenderedRequest(
      method: method.rawValue, url: url, body: Array(report.json().utf8))
    request.timeout = finish.timeout
    request.headers = [.init(name: "Content-Type", value: "application/json")]
    for (name, text) in headers.sorted(by: { $0.key < $1.key }) {
      var value = text
      if text.hasPrefix("@") {
        let path = String(text.dropFirst())
        do throws(FileContents.Problem) {
          let text = String(decoding: try FileContents.bytes(path), as: UTF8.self)
          value = String(text[...].trimmed)
        } catch {
          throw Problem(reason: "cannot read '\(path)' for header '\(name)': \(error.reason)")
        }
        request.secretHeaders.insert(name.lowercased())
        request.carriesSecret = true
      }
      request.headers.append(.init(name: name, value: value))
    }
    // Another request with the same report is harmless; one that is lost is not noticed by anyone.
    var failure = ""
    for attempt in 0..<3 {
      if attempt > 0 { try await Task.sleep(for: .seconds(attempt)) }
      let response = await transport.send(request)
      if (200..<300).contains(response.status) { return await transport.shutdown() }
      failure =
        response.error?.message
        ?? "\(method.rawValue) returned \(response.status)" + Redirection.note(of: response)
      if response.error == nil, response.status < 500, response.status != 429 { break }
    }
    await transport.shutdown()
    throw Problem(reason: failure)
  }
}
