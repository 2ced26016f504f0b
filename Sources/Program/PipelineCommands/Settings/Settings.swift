/// The user's defaults: `config.yaml`, with the active profile.
package struct Settings: Sendable {
  package enum Color: String, Sendable, CaseIterable { case auto, always, never }

  /// A request in a thousand seconds: a rate has a longest period.
  package static let leastRequestsPerSecond = 0.001

  /// The notification about a run that has stopped.
  package struct Finish: Hashable, Sendable {
    package enum Method: String, Sendable, CaseIterable {
      case post = "POST"
      case put = "PUT"
    }

    package enum Action: Hashable, Sendable {
      case command(String)
      /// A request; a header `@FILE` has its value in a file.
      case request(method: Method, url: String, headers: [String: String])
    }

    package var action: Action
    package var timeout: Duration = .seconds(60)
    package var isRequired = false

    package init(_ action: Action) { self.action = action }
  }

  /// The path of the file that they are from; `nil` if there is none.
  package var file: String?
  package var profile, state: String?
  /// Texts of inputs, by name.
  package var inputs: [String: [String]] = [:]
  package var concurrency: Int?
  /// Bytes in a second.
  package var bandwidth: Int64?
  package var requestsPerSecond: Double?
  /// Bytes.
  package var maxTransfer: Int64?
  package var maxDuration: Duration?
  package var caFile, clientCertificate, clientKey, proxy: String?
  package var noProxy: [String]?
  package var keepRuns: String?
  package var color: Color?
  package var progress: ProgressMode?
  package var onFinish: Finish?

  package init() {}

  /// The settings of this process; empty if the file has mistakes, which ``check(_:)`` reports.
  package static let current: Settings =
    (try? read(profile: namedProfile(CommandLine.arguments.dropFirst()))) ?? Settings()

  /// The settings of a command without a profile.
  package static let unasked: Settings =
    (try? read(profile: Terminal.environment("PIPELINE_PROFILE"))) ?? Settings()

  /// Reports problems of the settings; called before a command that needs them.
  package static func check(_ arguments: [String]) throws(CommandFailure) {
    // Commands for fixing the settings must not need them.
    let options = ["-h", "--help", "--version"]
    guard !["help", "schema"].contains(arguments.first),
      !arguments.contains(where: { options.contains($0) || $0.hasPrefix("--generate-") })
    else { return }
    _ = try read(profile: namedProfile(arguments[...]))
  }

  private static func namedProfile(_ arguments: ArraySlice<String>) -> String? {
    let options = arguments.prefix { $0 != "--" }
    for (index, word) in zip(options.indices, options) {
      if word.hasPrefix("--profile=") { return String(word.dropFirst("--profile=".count)) }
      if word == "--profile", index + 1 < options.endIndex { return options[index + 1] }
    }
    return Terminal.environment("PIPELINE_PROFILE")
  }

  /// Where the settings are, whether there is a file or not.
  package static var path: String {
    if let path = Terminal.environment("PIPELINE_CONFIG") { return path }
    return folder + "/config.yaml"
  }

  /// The user's folder for settings and the key of sealed values.
  package static var folder: String {
    let home = Terminal.environment("HOME") ?? "/"
    return (Terminal.environment("XDG_CONFIG_HOME") ?? home + "/.config") + "/pipeline"
  }

  package static func read(_ path: String = path, profile: String?) throws(CommandFailure)
    -> Settings
  {
    let bytes: [UInt8]
    do throws(FileContents.Problem) { bytes = try FileContents.bytes(path, atMost: 1 << 20) } catch
    {
      let isGiven = Terminal.environment("PIPELINE_CONFIG") != nil
      guard access(path, F_OK) != 0, !isGiven else {
        throw CommandFailure.invalid("cannot read the settings '\(path)': \(error.reason)")
      }
      guard let profile else { return Settings() }
      throw CommandFailure.invalid(
        "no profile is called '\(profile)', because the file '\(path)' is missing")
    }
    return try SettingsReader.settings(bytes, path, profile: profile)
  }
}
