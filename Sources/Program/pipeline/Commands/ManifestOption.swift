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

/// The outcome of a run and of each of its items, as a file.
struct Manifest {
  let output: OutputFile

  /// Writes it whole, or not at all.
  func write(_ report: RunReport, _ pipeline: Pipeline, _ store: any RunStore) async throws {
    let isTable = output.path.lowercased().hasSuffix(".csv")
    try await output.write { put in
      var list = ItemList(filter: ItemFilter(statuses: []), format: isTable ? .csv : .json, put)
      if !isTable {
        // The items follow as a member, so that a million of them need not be in memory.
        put(String(report.json().dropLast()) + ",\"each\":")
      }
      list.begin()
      try await list.add(store, pipeline)
      list.end()
      if !isTable { put("}") }
    }
  }
}
