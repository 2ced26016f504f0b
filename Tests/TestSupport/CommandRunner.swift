public import Foundation
import Synchronization

/// Runs the built command-line program as its users do: as a process, in an environment of its own.
public struct CommandRunner: Sendable {
  /// A command that could not be run, or that did not reach the awaited state in time.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem, with the command and its output.
    public let description: String

    /// Creates a failure with `description`.
    public init(description: String) { self.description = description }
  }

  /// The output of a command, and how it ended.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// The exit status; the negative number of the signal where one ended the process.
    public let status: Int32
    /// All of standard output.
    public let output: String
    /// All of standard error.
    public let error: String

    /// Status and both streams, for a failing test's report.
    public var description: String {
      "status \(status)\n--- output\n\(output)--- error\n\(error)---"
    }
  }

  /// The root of the package, found from this file's own place.
  public static let packageRoot = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The program under test: `$PIPELINE_BINARY`, or the debug build of this package.
  public static let binary =
    ProcessInfo.processInfo.environment["PIPELINE_BINARY"].map { URL(filePath: $0) }
    ?? packageRoot.appending(path: ".build/debug/pipeline")

  /// The folder that the process's home, state and working folder are in.
  public let directory: TemporaryDirectory
  /// Variables in addition to the few that every process gets; they win over those.
  public var environment: [String: String] = [:]
  /// Where the process works; the directory's root at first.
  public var workingDirectory: URL
  /// Whether commands start at once, since they must not miss concurrent events.
  public var isUrgent = false
  /// Prepares to run commands whose files are all in `directory`.
  public init(in directory: TemporaryDirectory) {
    self.directory = directory
    workingDirectory = directory.url
  }

  /// The folder that the program keeps its runs in by default.
  public var stateFolder: String { directory.path("state/pipeline") }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - arguments: What follows the program's name.
  ///   - input: The text for standard input.
  /// - Throws: ``Failure`` where it cannot be started or does not end.
  public func run(_ arguments: [String], input: String = "") async throws -> Outcome {
    if !isUrgent { try await Self.places.enter() }
    defer { if !isUrgent { Self.places.leave() } }
    return try await start(arguments, input: input).outcome()
  }

  /// Runs a command to its end; see ``run(_:input:)``.
  public func run(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await run(arguments, input: input)
  }

  /// Starts a command and leaves it running.
  public func start(_ arguments: [String], input: String = "") throws -> RunningCommand {
    guard FileManager.default.isExecutableFile(atPath: Self.binary.path(percentEncoded: false))
    else {
      throw Failure(
        description:
          "there is no program at '\(Self.binary.path(percentEncoded: false))': build it "
          + "first with `swift build --product pipeline`, or name it in PIPELINE_BINARY")
    }
    return try start(executable: Self.binary, arguments, input: input)
  }

  /// Starts a command and leaves it running; see ``start(_:input:)``.
  public func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }

  /// Starts any program in the same environment, such as a shell that sets a limit first.
  public func start(
    executable: URL, _ arguments: [String], input: String = ""
  ) throws -> RunningCommand {
    var variables = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": directory.path("home"), "XDG_STATE_HOME": directory.path("state"),
      "LANG": "C.UTF-8", "NO_PROXY": "127.0.0.1,localhost",
    ]
    variables.merge(environment) { _, given in given }
    return try RunningCommand(
      executable: executable, arguments: arguments, environment: variables,
      workingDirectory: workingDirectory, streams: directory, input: input)
  }

  /// So that many tests at once do not make each other late.
  private static let places = Places(8)
}

/// A process that was started and has perhaps ended; it is killed with its last owner.
public final class RunningCommand: Sendable {
  private let process: ProcessHandle
  private let outputFile: URL
  private let errorFile: URL
  private let words: String

  /// The process's number.
  public let id: Int32

  /// How long a test waits for something: what takes longer hangs, however slow the machine is.
  public static let patience: Duration = .seconds(600)

  fileprivate init(
    executable: URL, arguments: [String], environment: [String: String], workingDirectory: URL,
    streams: TemporaryDirectory, input: String
  ) throws {
    let name = "streams/" + UUID().uuidString
    // Files and not pipes: a pipe's writing end leaks into processes that other tests start.
    outputFile = URL(filePath: try streams.write("", to: name + ".out"))
    errorFile = URL(filePath: try streams.write("", to: name + ".err"))
    let inputFile = try streams.write(input, to: name + ".in")
    words = ([executable.lastPathComponent] + arguments).joined(separator: " ")
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = workingDirectory
    let handles = [
      try FileHandle(forReadingFrom: URL(filePath: inputFile)),
      try FileHandle(forWritingTo: outputFile), try FileHandle(forWritingTo: errorFile),
    ]
    // With more than a thousand open, Foundation reads their list beyond its buffer.
    defer { for handle in handles { try? handle.close() } }
    (process.standardInput, process.standardOutput, process.standardError) =
      (handles[0], handles[1], handles[2])
    let ended = Ended()
    process.terminationHandler = { ended.set($0) }
    try process.run()
    self.process = ProcessHandle(process: process, ended: ended)
    id = process.processIdentifier
  }

  deinit { if status == nil { signal(SIGKILL) } }

  /// How it ended: the exit status or the negative number of a signal; `nil` while it runs.
  public var status: Int32? { process.ended.value }

  /// The standard output so far.
  public var output: String { Self.read(outputFile) }

  /// The standard error so far.
  public var error: String { Self.read(errorFile) }

  /// Sends a signal; to a process that has ended, none.
  public func signal(_ number: Int32) {
    guard status == nil else { return }
    kill(id, number)
  }

  /// Waits for the end.
  ///
  /// - Throws: ``CommandRunner/Failure`` where it takes longer; the process is killed then.
  public func outcome() async throws -> CommandRunner.Outcome {
    try await wait("an end") { self.status != nil }
    return CommandRunner.Outcome(status: status ?? 0, output: output, error: error)
  }

  /// Kills the process at once and waits until it is gone.
  public func killed() async throws {
    signal(SIGKILL)
    _ = try await outcome()
  }

  /// Waits until `condition` holds.
  ///
  /// - Throws: ``CommandRunner/Failure`` where it does not in time; the process is killed then.
  public func wait(
    _ what: String, until condition: () throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + Self.patience
    while try !condition() {
      guard ContinuousClock.now < end else {
        signal(SIGKILL)
        throw CommandRunner.Failure(
          description:
            "`\(words)`: waited \(Self.patience) for \(what)\n--- output\n\(output)--- error\n\(error)"
        )
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until it has printed `text` on either stream; an end without it fails.
  public func wait(for text: String) async throws {
    try await wait("'\(text)'") {
      // Read after the status, or else the last words of a process that ended between would be missed.
      let hasEnded = status != nil
      if output.contains(text) || error.contains(text) { return true }
      guard hasEnded else { return false }
      throw CommandRunner.Failure(
        description: "`\(words)` ended without '\(text)'\n--- output\n\(output)--- error\n\(error)")
    }
  }

  private static func read(_ file: URL) -> String {
    String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
  }
}

/// Retains Foundation's process; only its end is looked at after the start.
private struct ProcessHandle: @unchecked Sendable {
  let process: Process
  let ended: Ended
}

private final class Ended: Sendable {
  private let status = Mutex<Int32?>(nil)

  var value: Int32? { status.withLock { $0 } }

  func set(_ process: Process) {
    let sign: Int32 = process.terminationReason == .uncaughtSignal ? -1 : 1
    let code = sign * process.terminationStatus
    status.withLock { $0 = code }
  }
}

/// A number of places that are acquired and released.
private final class Places: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func enter() async throws {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    try Task.checkCancellation()
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
