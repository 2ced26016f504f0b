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

  /// Its output is sent to standard error, since the report has the output.
  private func run(_ command: String) async throws {
    // A file does not block a command that reads nothing.
    guard let input = tmpfile() else { throw Problem(reason: FileContents.reason(errno)) }
    defer { fclose(input) }
    fputs(report.json() + "\n", input)
    rewind(input)
    let process: ChildProcess
    do throws(ChildProcess.NotStarted) {
      process = try ChildProcess(
        ["/bin/sh", "-c", command], environment: environment, input: fileno(input),
        output: STDERR_FILENO)
    } catch { throw Problem(reason: "the command cannot be started: \(error.reason)") }
    guard let status = try await process.status(within: finish.timeout) else {
      let limit = ReportFormatting.duration(finish.timeout)
      throw Problem(reason: "the command took longer than \(limit) and was ended")
    }
    guard status == 0 else { throw Problem(reason: Self.words(status)) }
  }

  private static func words(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0
      ? "the command ended with status \((status >> 8) & 0xff)"
      : "the command was ended by signal \(signal)"
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
