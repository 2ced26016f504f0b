struct RunDatabase {
  let runs: PostgreSQLRuns
  /// Its address without a password, as commands name it.
  let place: String

  init(_ address: String) async throws {
    place = Self.withoutPassword(address)
    runs = try await PostgreSQLRuns(address: address)
  }

  /// The address without a password, neither as part of the user nor as a parameter.
  static func withoutPassword(_ address: String) -> String {
    guard var url = URLComponents(string: address) else {
      return String(address.prefix { $0 != ":" }) + "://…"
    }
    url.password = nil
    url.queryItems = url.queryItems?.filter { !$0.name.lowercased().contains("password") }
    if url.queryItems?.isEmpty == true { url.queryItems = nil }
    return url.string ?? address
  }

  /// A command for this database, such as `pipeline status photos --store postgresql://host/database`.
  func command(_ words: [String]) -> String {
    (["pipeline"] + words + ["--store", place]).map(ShellWord.quoted).joined(separator: " ")
  }

  /// The run that the user named by its ID, its name or the start of its ID, or the newest one.
  func find(_ name: String?) async throws -> StoredRun {
    guard let name else {
      guard let newest = try await runs.all().last else {
        throw CommandFailure.invalid(
          "the database has no runs; start one with `\(command(["run", "FILE"]))`")
      }
      return newest
    }
    let found = try await runs.runs(called: name)
    if found.count == 1 { return found[0] }
    let hint =
      found.isEmpty
      ? "`\(command(["runs"]))` lists them"
      : "it could be " + found.suffix(3).map { "'\($0.id)'" }.joined(separator: ", ")
    throw CommandFailure.invalid("no run is called '\(name)' in the database; \(hint)")
  }

  /// The run, and the number of the shard that is named after it: `photos.3` is shard 3 of the run `photos`, and `photos.lead` its lead.
  func findShard(_ name: String?) async throws -> (run: StoredRun, shard: Int?) {
    guard let name, let dot = name.lastIndex(of: "."),
      let number = Self.number(name[name.index(after: dot)...]),
      try await runs.runs(called: name).isEmpty
    else { return (try await find(name), nil) }
    let found = try await runs.runs(called: String(name[..<dot]))
    return found.count == 1 ? (found[0], number) : (try await find(name), nil)
  }

  private static func number(_ text: Substring) -> Int? {
    if text == "lead" { return Shard.leadNumber }
    return Int(text).flatMap { $0 > Shard.leadNumber ? $0 : nil }
  }
}

struct DatabaseShard: ShardPlace {
  let database: RunDatabase
  let run: StoredRun
  let number: Int
  /// Who works on it, if a worker does.
  var worker: String?
  /// Whether any worker may continue it: the one that had it was stopped.
  var isGivenBack = false
  /// Why workers no longer try it.
  var trouble: String?
  /// Which workers left it to others, and why.
  var refusal: String?
  var isPaused: Bool { run.pauseReason != nil }
  var reason: String? { run.pauseReason ?? refusal }
  var workCommand: String { database.command(["work"]) }
  /// Whether the run's lead must come to its items first.
  var waitsForLead: Bool { !run.isOpen && number != Shard.leadNumber }
}

extension StoredRun { var displayName: String { name ?? id.rawValue } }
