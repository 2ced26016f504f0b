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

  /// The reports of shards, with one query.
  func reports(of parts: [ShardedRun.Part], _ run: StoredRun) async throws -> [RunReport] {
    guard let first = parts.first else { return [] }
    let pipeline = try await Definition.kept(first.folder, warns: false).pipeline
    let states = try await runs.states(of: run, pipeline: pipeline)
    return parts.compactMap { part in
      guard let shard = part.folder.shard, let (state, idle) = states[shard.number] else {
        return nil
      }
      var report = RunReport(state: state, pipeline: pipeline, in: part.folder)
      report.isWorkedOn = shard.worker != nil
      report.idle = idle
      return report
    }
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

struct DatabaseShard {
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
  /// Whether the run's lead must come to its items first.
  var waitsForLead: Bool { !run.isOpen && number != Shard.leadNumber }
}

extension StoredRun { var displayName: String { name ?? id.rawValue } }

struct StoreOption: ParsableArguments {
  @Option(
    help: .help(
      "Work with the runs of a PostgreSQL database, such as postgresql://user@host/database. Put the password in PGPASSWORD or ~/.pgpass.",
      "url"))
  var store: String?

  func validate() throws {
    guard let store else { return }
    guard ["postgresql://", "postgres://"].contains(where: store.hasPrefix) else {
      throw ValidationError(
        "--store '\(store)': expected the address of a PostgreSQL database, such as postgresql://user@host/database."
      )
    }
    let place = store.drop { $0 != "/" }.dropFirst(2)
    let user = place.prefix { !"/?".contains($0) }.split(separator: "@").dropLast()
    if user.contains(where: { $0.contains(":") }) || place.contains("password=") {
      throw ValidationError(
        "--store must not contain a password, which every process could read; set PGPASSWORD, or write it to ~/.pgpass."
      )
    }
  }

  /// Refuses options that cannot be combined with a database, each with whether it was passed, and a hint.
  static func refuse(_ options: [(Bool, String, String)]) throws {
    if let (_, option, hint) = options.first(where: \.0) {
      throw ValidationError("\(option) does not go with --store: \(hint).")
    }
  }

  func connect() async throws -> RunDatabase? {
    guard let store else { return nil }
    return try await RunDatabase(store)
  }
}

struct DatabaseView {
  let database: RunDatabase
  /// For the definitions.
  private let scratch: ScratchFolder

  init(_ database: RunDatabase) throws(CommandFailure) {
    self.database = database
    let parent = FileManager.default.temporaryDirectory.path + "/pipeline-\(getuid())"
    scratch = try ScratchFolder(in: parent)
  }

  /// The definition that workers need of a run.
  func definition(of run: StoredRun) async throws -> Definition {
    try await Definition.kept(
      scratch.folder(of: DatabaseShard(database: database, run: run, number: 1)), warns: false)
  }

  func shards(of run: StoredRun, only number: Int? = nil) async throws -> ShardedRun {
    let stored = try await database.runs.shards(of: run)
    guard !stored.isEmpty else { throw CommandFailure.environment(Self.isLoading(run)) }
    let chosen = stored.filter { number == nil || $0.number == number }
    if let number, chosen.isEmpty {
      let missing = number == Shard.leadNumber ? "lead" : "shard \(number)"
      throw CommandFailure.invalid(
        "run '\(run.displayName)' has no \(missing); its shards are 1 to \(run.shards)")
    }
    return ShardedRun(
      parts: try parts(chosen, run), count: run.shards, isWhole: number == nil,
      keeping: scratch)
  }

  static func isLoading(_ run: StoredRun) -> String {
    "the items of run '\(run.displayName)' are not in the database yet; if no process loads them, `pipeline run FILE --name … --continue` continues that"
  }

  /// All shards have the same definition, so that one folder is enough.
  private func parts(
    _ stored: [StoredShard], _ run: StoredRun
  ) throws(CommandFailure) -> [ShardedRun.Part] {
    var parts: [ShardedRun.Part] = []
    for stored in stored {
      guard let shard = Shard(stored: stored.number, of: run.shards) else {
        throw CommandFailure.environment(
          "the database has a shard \(stored.number) of \(run.shards)")
      }
      let place = DatabaseShard(
        database: database, run: run, number: stored.number, worker: stored.worker,
        isGivenBack: stored.worker == nil && stored.wish == .resume, trouble: stored.trouble,
        refusal: stored.refusal)
      let folder =
        if let first = parts.first {
          RunFolder(id: run.id(ofShard: stored.number), path: first.folder.path, shard: place)
        } else {
          try scratch.folder(of: place)
        }
      parts.append(.init(shard: shard, folder: folder))
    }
    return parts
  }
}
