struct ManifestOption: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: .help(
      "Write the outcome of each item to a file when the run stops: CSV if its name ends with .csv, otherwise JSON.",
      "file"), completion: .file())
  var file: String?

  /// The manifest, whose folder must be writable before anything is sent.
  func manifest() throws(CommandFailure) -> Manifest? {
    guard let file else { return nil }
    let output = OutputFile(StateFolder.absolute(file))
    if let obstacle = output.obstacle {
      throw CommandFailure.invalid("--report '\(file)': \(obstacle)")
    }
    return Manifest(output: output)
  }
}
