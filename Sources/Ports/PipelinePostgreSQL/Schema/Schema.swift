import Basics

/// The tables of runs, version by version, in a PostgreSQL schema of their own; `meta` is the same in all versions.
package struct Schema: Sendable {
  /// The statements that make the tables of each version, oldest first; from 1.0 on, a released one is never edited or removed.
  private let migrations: [String]

  package static let current = Schema(migrations: [version1 + commit])

  /// The same tables with one more version, for tests of migrations.
  package func adding(_ migration: String) -> Schema {
    Schema(migrations: migrations + [migration])
  }

  enum State {
    static let stale = "PL001"
    static let missingItem = "PL002"
    static let noRun = "PL003"
  }

  /// Brings the tables up to date; of processes that begin together, one does.
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

  /// Creates the schema, unless an administrator did: `IF NOT EXISTS` would need the right to create one all the same.
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
          "\(session.place) has no schema for runs, and the user may not create one: let an administrator say CREATE SCHEMA \(Session.quoted(schema)) AUTHORIZATION \(user)"
      )
    }
  }

  /// The version of the tables; 0 if there are none.
  private func verify(_ session: Session, _ schema: String) throws -> Int {
    let tables = try session.query(
      """
      SELECT coalesce(bool_or(tablename = 'meta'), false), count(*) > 0 FROM pg_tables
      WHERE schemaname = $1::text AND tablename IN ('meta', 'run', 'migration')
      """, [.text(schema)])
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
    guard (1...migrations.count).contains(version) else {
      throw refusal(version, try meta.text(0, 1))
    }
    return version
  }

  /// Which batches of the history begin with what a process is told first: those in which one took the shard over.
  static let launches = ["limits_known", "run_resumed"].map { event in
    "position('\"\(event)\"'::bytea IN substring(events FROM 1 FOR 256)) > 0"
  }.joined(separator: " OR ")

  private static let version1 = """
    CREATE TABLE run (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      run text NOT NULL UNIQUE,
      name text UNIQUE,
      pipeline text NOT NULL,
      shards bigint NOT NULL,
      slots bigint NOT NULL DEFAULT 1,
      priority bigint NOT NULL DEFAULT 0,
      weight bigint NOT NULL DEFAULT 1,
      definition text NOT NULL DEFAULT '',
      used text NOT NULL DEFAULT '{}',
      origin text NOT NULL DEFAULT '{}',
      began timestamptz NOT NULL DEFAULT clock_timestamp(),
      loaded bigint NOT NULL DEFAULT 0,
      loaded_hash bigint NOT NULL DEFAULT 0,
      is_loaded boolean NOT NULL DEFAULT false,
      is_open boolean NOT NULL DEFAULT true,
      stops_on_failed boolean NOT NULL DEFAULT true,
      paused text
    );
    CREATE TABLE shard (
      run bigint NOT NULL REFERENCES run ON DELETE CASCADE,
      shard bigint NOT NULL,
      epoch bigint NOT NULL DEFAULT 0,
      last_commit bigint NOT NULL DEFAULT 0,
      requeued boolean NOT NULL DEFAULT false,
      history bigint NOT NULL DEFAULT 0,
      status text,
      reason text,
      began bigint,
      ended bigint,
      counts bigint[] NOT NULL DEFAULT '{}',
      worker text,
      lease_until timestamptz,
      attempts bigint NOT NULL DEFAULT 0,
      trouble text,
      wish text,
      refused_by text[] NOT NULL DEFAULT '{}',
      refused_at timestamptz,
      wake_at timestamptz,
      waits boolean NOT NULL DEFAULT false,
      state bytea,
      frame bytea,
      PRIMARY KEY (run, shard)
    ) WITH (fillfactor = 50);
    CREATE INDEX shard_open ON shard (run, shard)
      WHERE status IN ('running', 'cancelling') OR wish IS NOT NULL OR waits;
    CREATE INDEX shard_held ON shard (run) WHERE worker IS NOT NULL;
    CREATE TABLE worker (
      worker text PRIMARY KEY,
      held bigint NOT NULL,
      at_most bigint NOT NULL,
      seen timestamptz NOT NULL
    );
    CREATE TABLE credential (
      token_url text NOT NULL, client text NOT NULL, origin text NOT NULL,
      sealed text,
      stored timestamptz,
      holder text,
      held_until timestamptz,
      PRIMARY KEY (token_url, client, origin)
    );
    CREATE TABLE subject (
      run bigint NOT NULL, shard bigint NOT NULL, key bigint NOT NULL,
      subject bytea NOT NULL,
      PRIMARY KEY (run, shard, key)
    );
    CREATE TABLE item (
      run bigint NOT NULL, shard bigint NOT NULL, key bigint NOT NULL,
      status bigint NOT NULL,
      progress bytea NOT NULL,
      PRIMARY KEY (run, shard, key)
    ) WITH (fillfactor = 80);
    CREATE INDEX item_open ON item (run, shard, status, key) WHERE status < 4;
    CREATE TABLE part (
      run bigint NOT NULL, shard bigint NOT NULL, item bigint NOT NULL,
      step text NOT NULL, generation bigint NOT NULL, number bigint NOT NULL,
      collected bytea NOT NULL,
      PRIMARY KEY (run, shard, item, step, generation, number)
    );
    CREATE TABLE target (
      run bigint NOT NULL, hash bigint NOT NULL,
      shard bigint NOT NULL, item bigint NOT NULL,
      PRIMARY KEY (run, hash)
    );
    CREATE TABLE history (
      run bigint NOT NULL, shard bigint NOT NULL, sequence bigint NOT NULL,
      at bigint NOT NULL,
      events bytea NOT NULL,
      PRIMARY KEY (run, shard, sequence)
    );
    CREATE INDEX history_launch ON history (run, shard, sequence) WHERE \(launches);

    """

  /// A whole batch in one statement; `token` names it and `previous` the one before, so that a batch that is sent again is stored once.
  private static let commit = """
    CREATE FUNCTION commit_batch(
      r bigint, s bigint, e bigint, previous bigint, token bigint, durable boolean,
      keys bigint[], statuses bigint[], progresses bytea[],
      part_items bigint[], part_steps text[], part_generations bigint[], part_numbers bigint[],
      part_values bytea[], first_cancelled bigint[], last_cancelled bigint[],
      new_state bytea, new_frame bytea, new_status text, new_reason text, new_began bigint,
      new_ended bigint, new_counts bigint[], has_requeued boolean, moment bigint, new_events bytea,
      claimed bigint[], claimants bigint[], takes boolean[]
    ) RETURNS TABLE (claim bigint, held_in bigint, held_by bigint, held_subject bytea)
    LANGUAGE plpgsql AS $body$
    DECLARE
      found_shard shard%ROWTYPE;
      changed bigint;
      p record;
    BEGIN
      SELECT * INTO found_shard FROM shard WHERE run = r AND shard.shard = s FOR UPDATE;
      IF NOT FOUND OR found_shard.epoch <> e THEN
        RAISE EXCEPTION 'stale owner' USING ERRCODE = 'PL001';
      END IF;
      -- In the order of the hashes, so that two shards with several common targets do not wait for each other.
      FOR p IN SELECT * FROM unnest(claimed, claimants, takes) WITH ORDINALITY AS n (hash, item, takes, position)
        ORDER BY hash
      LOOP
        IF p.takes THEN INSERT INTO target VALUES (r, p.hash, s, p.item) ON CONFLICT DO NOTHING; END IF;
        RETURN QUERY SELECT p.position, t.shard, t.item, u.subject
          FROM target t JOIN subject u ON u.run = r AND u.shard = t.shard AND u.key = t.item
          WHERE t.run = r AND t.hash = p.hash AND (t.shard, t.item) <> (s, p.item);
      END LOOP;
      IF found_shard.last_commit = token THEN
        -- It is stored. To write a row again makes the answer wait until that is as durable as a new batch would be.
        UPDATE shard SET last_commit = token WHERE run = r AND shard.shard = s;
        RETURN;
      END IF;
      IF found_shard.last_commit <> previous THEN
        RAISE EXCEPTION 'stale batch' USING ERRCODE = 'PL001';
      END IF;
      IF found_shard.state IS NULL THEN
        RAISE EXCEPTION 'no run' USING ERRCODE = 'PL003';
      END IF;
      IF NOT durable THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
      -- Finds each row by its whole key. Until a table has been analyzed, PostgreSQL takes a shard for one row, and a join would read all rows.
      changed := 0;
      FOR p IN SELECT * FROM unnest(keys, statuses, progresses) AS n (key, status, progress) LOOP
        UPDATE item SET status = p.status, progress = p.progress
          WHERE item.run = r AND item.shard = s AND item.key = p.key;
        IF FOUND THEN changed := changed + 1; END IF;
      END LOOP;
      IF changed <> cardinality(keys) THEN
        RAISE EXCEPTION 'missing item' USING ERRCODE = 'PL002';
      END IF;
      FOR p IN SELECT * FROM unnest(part_items, part_steps, part_generations, part_numbers, part_values)
        WITH ORDINALITY AS n (item, step, generation, number, collected, position) ORDER BY position
      LOOP
        IF p.collected IS NULL THEN
          DELETE FROM part WHERE run = r AND shard = s AND item = p.item AND step = p.step;
        ELSE
          INSERT INTO part VALUES (r, s, p.item, p.step, p.generation, p.number, p.collected)
            ON CONFLICT (run, shard, item, step, generation, number)
            DO UPDATE SET collected = EXCLUDED.collected;
        END IF;
      END LOOP;
      FOR p IN SELECT * FROM unnest(first_cancelled, last_cancelled) AS n (first, last) LOOP
        UPDATE item SET status = \(cancelled)
          WHERE run = r AND shard = s AND status = \(pending) AND key BETWEEN p.first AND p.last;
      END LOOP;
      IF new_events IS NOT NULL THEN
        INSERT INTO history VALUES (r, s, found_shard.history + 1, moment, new_events);
      END IF;
      IF new_state IS NOT NULL THEN
        UPDATE shard SET state = new_state, frame = coalesce(new_frame, frame),
          status = new_status, reason = new_reason, began = new_began, ended = new_ended,
          attempts = CASE WHEN counts = new_counts THEN attempts ELSE 0 END,
          counts = new_counts, last_commit = token, requeued = requeued AND NOT has_requeued,
          history = found_shard.history + CASE WHEN new_events IS NULL THEN 0 ELSE 1 END
          WHERE run = r AND shard.shard = s;
        RETURN;
      END IF;
      UPDATE shard SET last_commit = token, requeued = requeued AND NOT has_requeued,
        history = found_shard.history + CASE WHEN new_events IS NULL THEN 0 ELSE 1 END
        WHERE run = r AND shard.shard = s;
    END $body$;
    """

  // Numbers of a released migration: they do not follow the type.
  private static let pending = 0
  private static let cancelled = 6
}
