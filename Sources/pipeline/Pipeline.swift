import Dispatch
import PipelineCommands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program: runs the authoring commands itself, and becomes `pipeline-runner` for all others.
@main
enum Pipeline {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    AuthoringCommands.validateFiles(arguments)
    guard let command = arguments.first.flatMap(AuthoringCommands.named) else {
      becomeRunner(arguments)
    }
    // Not `async`: that would create a thread even for command lines that have been handled above.
    Task.detached { await Program.run(command, Array(arguments.dropFirst())) }
    // Not `dispatchMain`: it ends this thread, and in a static program the first unwinding of a stack
    // sorts the tables of all functions, which takes 40 ms. The command ends the process.
    let never = DispatchSemaphore(value: 0)
    while true { never.wait() }
  }

  /// Replaces this process, so that signals, standard streams and the status are the runner's own.
  private static func becomeRunner(_ arguments: [String]) -> Never {
    guard let runner = runnerPath else {
      Terminal.error("pipeline: error: cannot find the folder of this program")
      exit(ExitStatus.environment.rawValue)
    }
    // glibc has up to eight heaps for each processor, and each grows to what its threads once needed (mallopt(3)): in a run of
    // 10,000 parts, 5 MiB. It reads this only when a process starts.
    setenv("MALLOC_ARENA_MAX", "\(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 2))", 0)
    var words = (["pipeline"] + arguments).map { strdup($0) }
    words.append(nil)
    execv(runner, words)
    Terminal.error(
      "pipeline: error: cannot start '\(runner)': \(FileContents.reason(errno)); "
        + "it must be in the same folder as this program")
    exit(ExitStatus.environment.rawValue)
  }

  private static var runnerPath: String? {
    guard let path = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil)
    else { return nil }
    defer { free(path) }
    let program = String(cString: path)
    guard let slash = program.lastIndex(of: "/") else { return nil }
    return program[...slash] + "pipeline-runner"
  }
}
