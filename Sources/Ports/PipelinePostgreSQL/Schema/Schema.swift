/// The tables of runs, version by version, in a PostgreSQL schema of their own; `meta` is the same in all versions.
package struct Schema: Sendable {
  static let statements = NamedTexts(PackageResources.statements_sql)
  /// The statements that make the tables of each version, oldest first; from 1.0 on, a released one is never edited or removed.
  private let migrations: [String]

  package static let current = Schema(migrations: [
    String(decoding: PackageResources.version_1_sql, as: UTF8.self)
      + "CREATE INDEX history_launch ON history (run, shard, sequence) WHERE \(statements["launches"]);\n"
      + String(decoding: PackageResources.commit_batch_sql, as: UTF8.self)
  ])

  /// The same tables with one more version, for tests of migrations.
  package func adding(_ migration: String) -> Schema {
    Schema(migrations: migrations + [migration])
  }

  enum State {
    static let stale = "PL001"
    static let missingItem = "PL002"
    static let noRun = "PL003"
  }

  /// Brings the tables up to date; of processes that start together, one does.
  func migrate(_ session: Session, schema: String) throws {
    guard try verify(session, schema) < migrations.count else { return }
    try session.transaction {
      try session.query(
        "SELECT pg_advisory_xact_lock(hashtextextended('pipeline:' || $1::text, 0))",
        [.text(schema)])
      let found = try verify(session, schema)
      guard found < migrations.count else { return }
      if found == 0 {
        try Self.create(schema, session)
        try session.run("CREATE TABLE meta (version bigint NOT NULL, program text NOT NULL)")
        try session.run("INSERT INTO meta (version, program) VALUES (0, '')")
      }
      for migration in migrations[found...] { try session.run(migration) }
      try session.query(
        "UPDATE meta SET version = $1::bigint, program = $2::text",
        [.integer(migrations.count), .text(Version.current)])
    }
  }

  /// Creates the schema, unless an administrator did: `IF NOT EXISTS` would still need the right to create one.
  private static func create(_ schema: String, _ session: Session) throws {
    let known = try session.query(
      "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1::text), current_user",
      [.text(schema)])
    guard try !known.bool(0, 0) else { return }
    do {
      try session.run("CREATE SCHEMA \(Session.quoted(schema))")
    } catch let error as PostgreSQLError where error.state == "42501" {
      let user = Session.quoted(try known.text(0, 1))
      throw StoreFailure(
        .readOnly,
        message:
          "\(session.place) has no schema for runs, and the user may not create one: let an administrator execute CREATE SCHEMA \(Session.quoted(schema)) AUTHORIZATION \(user)"
      )
    }
  }

  /// The version of the tables; 0 if there are none.
  private func verify(_ session: Session, _ schema: String) throws -> Int {
    let tables = try session.query(
      Self.statements["known_tables"], [.text(schema)])
    func refusal(_ version: Int, _ program: String?) -> StoreFailure {
      .otherVersion(
        "the store at \(session.place)", version: version, writtenBy: program,
        known: migrations.count)
    }
    guard try tables.bool(0, 0) else {
      guard try !tables.bool(0, 1) else { throw refusal(0, nil) }
      return 0
    }
    let meta = try session.query("SELECT version, program FROM \(Session.quoted(schema)).meta")
    guard meta.count == 1 else { throw refusal(0, nil) }
    let version = try meta.integer(0, 0)
    guard (1...migrations.count).contains(version)
    else { throw refusal(version, try meta.text(0, 1)) }
    return version
  }
}
