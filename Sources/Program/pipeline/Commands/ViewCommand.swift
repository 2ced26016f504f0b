import PipelineView

struct ViewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    "view", "Show runs on a live page in a browser.",
    status: ExitStatus.help([
      (.done, "stopped by Ctrl-C, or the file was printed"), (.invalid, "there is no such run"),
      (.environment, "cannot listen, or cannot read the run"), (.usage, ExitStatus.usage.meaning),
    ]))

  enum Form: String, ExpressibleByArgument, CaseIterable { case page, html }

  @Argument(help: "The run: its ID, the start of that, or its name (default: all runs).") var run:
    String?

  @OptionGroup var state: StateOptions

  @Option(help: .help("Address to listen on; port 0 picks a free one.", "host:port")) var listen =
    "127.0.0.1:0"

  @Option(help: "Serve the page, or print a single file with the run as it is now.") var format:
    Form = .page

  /// Names the token, so that no other user of the machine reads it from the command line.
  private static let variable = "PIPELINE_VIEW_TOKEN"
  private static let shortestToken = 16

  func validate() throws {
    _ = try place()
    if format == .html, run == nil { throw ValidationError("--format html needs a run.") }
  }

  func run() async throws {
    let pages = RunPages(state: state.folder)
    let folder = try run.map { name throws(CommandFailure) in try state.folder.find(name) }
    if format == .html, let folder {
      return Terminal.write(
        try await SinglePage(pages, run: folder.id.rawValue).html, to: STDOUT_FILENO)
    }
    let server: PageServer
    do { server = try await PageServer.start(pages, at: try place()) } catch {
      throw CommandFailure.environment("cannot listen on \(listen): \(StateFolder.reason(error))")
    }
    let fragment = folder.map { "#/runs/\($0.id.rawValue)" } ?? ""
    Terminal.print(server.address + fragment)
    Terminal.error("Ctrl-C ends the page")
    let signals = InterruptSignals.process
    await withCheckedContinuation { continuation in signals.onFirst { continuation.resume() } }
    await server.stop()
  }

  private func place() throws -> PageServer.Place {
    let parts = listen.split(separator: ":", omittingEmptySubsequences: false)
    let host = parts.dropLast().joined(separator: ":").trimmed("[]")
    guard parts.count >= 2, !host.isEmpty, let port = parts.last.flatMap({ Int($0) }),
      (0...65_535).contains(port)
    else {
      throw ValidationError("--listen '\(listen)': expected an address such as 127.0.0.1:8090.")
    }
    let chosen = ProcessInfo.processInfo.environment[Self.variable]
    if let chosen {
      let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
      guard chosen.count >= Self.shortestToken, letters.isSuperset(of: chosen) else {
        throw ValidationError(
          "\(Self.variable): expected at least \(Self.shortestToken) letters, digits, - or _.")
      }
    } else if !["127.0.0.1", "::1", "localhost"].contains(host) {
      throw ValidationError(
        "--listen \(listen) can be reached from other machines: set \(Self.variable) to a token of your own, such as the output of `openssl rand -hex 16`."
      )
    }
    let random = (0..<4).map { _ in String(UInt32.random(in: 1 << 31 ... .max), radix: 16) }
    return PageServer.Place(host: host, port: port, token: chosen ?? random.joined())
  }
}

extension String {
  /// Without these characters at both ends.
  fileprivate func trimmed(_ characters: String) -> String {
    let start = drop { characters.contains($0) }
    return String(start.reversed().drop { characters.contains($0) }.reversed())
  }
}
