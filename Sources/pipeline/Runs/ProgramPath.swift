import PipelineCommands

enum ProgramPath {
  /// The absolute path of the running program; `nil` if the system does not say.
  static var current: String? {
    (try? FileContents.resolved("/proc/self/exe"))
      ?? (try? FileContents.resolved(CommandLine.arguments[0]))
  }
}
