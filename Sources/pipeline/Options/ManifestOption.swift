import ArgumentParser
import PipelineCommands
import PipelineCore

struct ManifestOption: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: .help(
      "Write the outcome of each item to a file when the run rests: CSV if its name ends with .csv, otherwise JSON.",
      "file"), completion: .file())
  var file: String?

  /// The manifest, whose folder must be writable before anything is sent.
  func manifest() throws(CommandFailure) -> Manifest? {
    guard let file else { return nil }
    let path = StateFolder.absolute(file)
    var raw = stat()
    guard stat(path, &raw) != 0 || raw.st_mode & S_IFMT != S_IFDIR else {
      throw CommandFailure(.invalid, "--report '\(file)' is a folder, expected a file")
    }
    let folder = URL(filePath: path).deletingLastPathComponent().path
    guard access(folder, W_OK) == 0 else {
      throw CommandFailure(
        .invalid, "--report '\(file)': cannot write to '\(folder)': \(FileContents.reason(errno))")
    }
    return Manifest(path: path)
  }
}

/// The outcome of a run and of each of its items, as a file.
struct Manifest {
  let path: String

  /// Writes it whole, or not at all.
  func write(_ report: RunReport, _ pipeline: Pipeline, _ store: any RunStore) async throws {
    let isTable = path.lowercased().hasSuffix(".csv")
    let temporary = path + ".part"
    guard let file = fopen(temporary, "w") else { throw failure() }
    var isWhole = true
    func put(_ line: String) { if fputs(line + "\n", file) < 0 { isWhole = false } }
    var list = ItemList(filter: ItemFilter(statuses: []), format: isTable ? .csv : .json, put)
    do {
      if !isTable {
        // The items follow as a member, so that a million of them need not be in memory.
        put(String(report.json().dropLast()) + ",\"each\":")
      }
      list.begin()
      try await list.add(store, pipeline)
      list.end()
      if !isTable { put("}") }
    } catch {
      fclose(file)
      unlink(temporary)
      throw error
    }
    if fflush(file) != 0 || fsync(fileno(file)) != 0 { isWhole = false }
    fclose(file)
    guard isWhole, rename(temporary, path) == 0 else {
      let problem = failure()
      unlink(temporary)
      throw problem
    }
  }

  private func failure() -> CommandFailure {
    CommandFailure(.environment, "cannot write '\(path)': \(FileContents.reason(errno))")
  }
}
