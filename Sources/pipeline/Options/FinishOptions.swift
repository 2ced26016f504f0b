import ArgumentParser
import PipelineCommands

struct FinishOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Command for /bin/sh when the run has come to rest, with its report on standard input; 'on_finish' of the "
        + "settings can send a request instead.",
      valueName: "command"))
  var onFinish: String?

  @Option(
    help: ArgumentHelp(
      "How long it may take before it is ended (default: 1m).", valueName: "duration"))
  var onFinishTimeout: String?

  @Flag(help: "End with 1 if it fails; otherwise it only causes a warning.")
  var requireOnFinish = false

  func validate() throws { _ = try timeout }

  private var timeout: Duration? {
    get throws {
      guard let text = onFinishTimeout else { return nil }
      let timeout = try Arguments.duration(text, for: "--on-finish-timeout")
      guard timeout > .zero else {
        throw ValidationError("--on-finish-timeout must be more than 0.")
      }
      return timeout
    }
  }

  func hook() throws -> Settings.Finish? {
    guard var finish = onFinish.map({ .init(.command($0)) }) ?? Settings.current.onFinish else {
      return nil
    }
    if let timeout = try timeout { finish.timeout = timeout }
    if requireOnFinish { finish.isRequired = true }
    return finish
  }
}
