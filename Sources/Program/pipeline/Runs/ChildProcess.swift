/// A process that this one starts, in a group of its own.
struct ChildProcess {
  private let id: pid_t

  struct NotStarted: Error { let reason: String }

  /// - Parameters:
  ///   - words: The program's path, and its arguments.
  ///   - environment: All that it has.
  ///   - input: The descriptor of its standard input.
  ///   - output: The descriptor of its standard output and its standard error.
  init(
    _ words: [String], environment: [String: String], input: Int32, output: Int32
  ) throws(NotStarted) {
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
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    // A child inherits ignored signals, and could not be ended then.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    let settings = environment.map { "\($0.key)=\($0.value)" }
    let arguments = words.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    let variables = settings.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
    guard code == 0 else { throw NotStarted(reason: FileContents.reason(code)) }
    id = process
  }

  /// Its status once it has ended, as `waitpid` reports it; `nil` if it has not ended in time, and was ended with all that it has started.
  func status(within limit: Duration) async throws -> Int32? {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      if let status { return status }
      try await Task.sleep(for: .milliseconds(20))
    }
    kill(-id, SIGTERM)
    let grace = ContinuousClock.now + .seconds(2)
    while status == nil, ContinuousClock.now < grace {
      try await Task.sleep(for: .milliseconds(20))
    }
    kill(-id, SIGKILL)
    return nil
  }

  private var status: Int32? {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) == 0 ? nil : status
  }
}
