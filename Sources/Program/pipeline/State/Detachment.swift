/// A command that continues in the background.
///
/// The command starts itself again, and the second process reads, checks and asks in the terminal as the first would have
/// done. As soon as it works, it leaves the terminal and reports this to the first, which ends. It is not a copy of the first
/// process (`fork`), because a copy does not have its threads.
enum Detachment {
  /// In the environment of the second process: the descriptor to which it reports its run or series.
  private static let variable = "PIPELINE_DETACHED"
  private static let descriptor: Int32 = 3

  /// The second process's report to the first.
  private struct Message: Codable {
    var run, series: String?
    let process: Int32
    let log: String

    var form: DetachedForm {
      DetachedForm {
        $0.run = run
        $0.series = series
        $0.process = Int(process)
        $0.log = log
      }
    }
  }

  /// Starts this command line in the background until it works; throws without a message if it has ended,
  /// because it has printed the reason.
  static func start(_ format: ReportFormat) throws(CommandFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(errno) }
    defer { close(ends[0]) }
    // Its end is reached when the second process closes the only descriptor that it gets.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process: pid_t
    do {
      defer { close(ends[1]) }
      process = try spawn(passing: ends[1])
    }
    guard let message = message(from: ends[0]) else { throw outcome(of: process) }
    guard format == .text else { return Terminal.print(EncodedJSON.of(message.form)) }
    let words = "works in the background (process \(message.process)); "
    if let run = message.run {
      Terminal.print(run)
      let folder = RunFolder(id: RunID(run), path: folder(of: message.log))
      Terminal.error(words + "`\(folder.command("attach"))` shows its progress")
    } else {
      Terminal.print(message.log)
      let attach = NextCommand.text(
        ["attach", message.series ?? ""], in: .above(folder(of: message.log)))
      Terminal.error(
        words + "its output is in that file, `\(attach)` shows its progress, "
          + "`kill \(message.process)` ends it")
    }
  }

  private static func folder(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path
  }

  private static func spawn(passing end: Int32) throws(CommandFailure) -> pid_t {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, end, descriptor)
    var arguments = CommandLine.arguments.map { strdup($0) }
    arguments.append(nil)
    setenv(variable, "\(descriptor)", 1)
    defer {
      unsetenv(variable)
      for argument in arguments { free(argument) }
    }
    var process: pid_t = 0
    let program = FileContents.program ?? CommandLine.arguments[0]
    let code = posix_spawn(&process, program, &actions, nil, arguments, environ)
    guard code == 0 else { throw failure(code) }
    return process
  }

  private static func failure(_ code: Int32) -> CommandFailure {
    CommandFailure.environment("cannot start in the background: \(FileContents.reason(code))")
  }

  /// The second process's report; `nil` if it has ended without one.
  private static func message(from end: Int32) -> Message? {
    guard let bytes = try? FileContents.bytes(of: end) else { return nil }
    return try? JSONDecoder().decode(Message.self, from: Data(bytes))
  }

  private static func outcome(of process: pid_t) -> CommandFailure {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let isExit = status & 0x7f == 0
    return CommandFailure(
      isExit ? ExitStatus(rawValue: (status >> 8) & 0xff) ?? .environment : .interrupted)
  }

  // MARK: The second process

  /// The descriptor to which this process reports that it works; used once.
  private static let end = Mutex<Int32?>(Terminal.environment(variable).flatMap { Int32($0) })
  /// Whether this process is the second one.
  static let isUnderWay: Bool = Terminal.environment(variable) != nil
  /// Descriptors that the process was started with, in addition to its streams:
  /// the parent may wait for their end, as `ssh` does.
  private static let inherited = Mutex<[Int32]>([])

  /// Prevents processes that this one starts from acting as the second one; called before anything is opened.
  static func prepare() {
    guard isUnderWay else { return }
    _ = end.withLock { $0.map { fcntl($0, F_SETFD, FD_CLOEXEC) } }
    unsetenv(variable)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    inherited.withLock { inherited in
      inherited = names.compactMap { Int32($0) }.filter { number in
        // Descriptors that a library has opened in the meantime would not be inherited.
        let flags = fcntl(number, F_GETFD)
        return number > STDERR_FILENO && flags >= 0 && flags & FD_CLOEXEC == 0
      }
    }
  }

  /// Leaves the terminal, if this is the second process and it has not left yet; `log` gets the output.
  static func leaveTerminal(
    for work: String, log: String, isRun: Bool = true
  ) throws(CommandFailure) {
    guard let end = end.withLock({ $0.take() }) else { return }
    let file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard file >= 0, nothing >= 0 else {
      throw CommandFailure.environment("cannot write '\(log)': \(FileContents.reason(errno))")
    }
    // Before the terminal is informed: input from then on is for others.
    setsid()
    dup2(nothing, STDIN_FILENO)
    let message = EncodedJSON.of(
      Message(run: isRun ? work : nil, series: isRun ? nil : work, process: getpid(), log: log))
    dup2(file, STDOUT_FILENO)
    dup2(file, STDERR_FILENO)
    close(file)
    close(nothing)
    for descriptor in inherited.withLock({ $0 }) { close(descriptor) }
    Terminal.send(message, to: end)
    close(end)
  }
}
