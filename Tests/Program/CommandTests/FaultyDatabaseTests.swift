import Foundation
import TestSupport
import Testing

/// Databases that fail while a run is worked on.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct FaultyDatabaseTests {
  @Test(arguments: [
    ("disk_full", "could not extend file"), ("insufficient_privilege", "permission denied"),
  ])
  func `a full disk and revoked rights are waited for, and nothing is lost`(
    code: String, words: String
  ) async throws {
    let place = try await DatabasePlace()
    try await place.create()
    try DatabasePlace.sql(
      """
      CREATE SEQUENCE public.tries;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          PERFORM nextval('public.tries');
          RAISE EXCEPTION '\(words)' USING ERRCODE = '\(code)';
        END $body$;
      CREATE TRIGGER refuse BEFORE UPDATE ON pipeline.item FOR EACH ROW
        WHEN (NEW.status = 4) EXECUTE FUNCTION refuse()
      """, on: place.store)
    let work = try place.start("work", "--until-done")
    // A value of a sequence stays although the batch is refused.
    try DatabasePlace.sql(
      """
      DO $body$ BEGIN
        FOR i IN 1..6000 LOOP
          IF (SELECT last_value > 2 FROM public.tries) THEN RETURN; END IF;
          PERFORM pg_sleep(0.01);
        END LOOP;
        RAISE EXCEPTION 'no batch was tried again';
      END $body$
      """, on: place.store)
    try DatabasePlace.sql("DROP TRIGGER refuse ON pipeline.item", on: place.store)
    let outcome = try await work.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    place.checkAllDone()
  }

  @Test func `a database that is unavailable for some seconds is waited for`() async throws {
    let place = try await DatabasePlace("--suspend-at", "60")
    try await place.create()
    let work = try place.start("work", "--until-done", "--lease", "10s")
    try await place.server.waitUntilSuspended()
    let name = try #require(URLComponents(string: place.store)?.path.dropFirst())
    let known = try #require(DatabasePlace.address)
    try DatabasePlace.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", on: known)
    try DatabasePlace.sql(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(name)'",
      on: known)
    // Answers come that cannot be written down.
    place.server.goOn()
    try DatabasePlace.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", on: known)
    let outcome = try await work.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    place.checkAllDone()
  }

  @Test func `a worker keeps its shards while one that stands still holds up all claims`()
    async throws
  {
    let place = try await DatabasePlace("--suspend-at", "10")
    // The lock is for runs with fewer slots than shards.
    try await place.create("--at-once", "3")
    // It looks for a fifth shard all the time.
    let work = try place.start("work", "--until-done", "--lease", "1s", "--at-most", "5")
    try await place.server.waitUntilSuspended()
    try DatabasePlace.sql(
      """
      SELECT pg_advisory_lock(hashtextextended('pipeline claim ' || id, 0)) FROM pipeline.run;
      DO $body$ DECLARE begun timestamptz := clock_timestamp(); BEGIN
        WHILE (SELECT min(lease_until) FROM pipeline.shard WHERE worker IS NOT NULL) < begun + interval '3 s' LOOP
          IF clock_timestamp() > begun + interval '60 s' THEN
            RAISE EXCEPTION 'leases are not renewed';
          END IF;
          PERFORM pg_sleep(0.01);
        END LOOP;
      END $body$
      """, on: place.store)
    place.server.goOn()
    let outcome = try await work.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    place.checkAllDone()
  }

  @Test func `a database's settings do not weaken the guarantees`() async throws {
    let place = try await DatabasePlace()
    let name = try #require(URLComponents(string: place.store)?.path.dropFirst())
    try DatabasePlace.sql(
      """
      ALTER DATABASE \(name) SET synchronous_commit TO off;
      ALTER DATABASE \(name) SET default_transaction_isolation TO 'serializable'
      """, on: place.store)
    try await place.create()
    try DatabasePlace.sql(
      """
      CREATE TABLE seen (isolation text, synchronous text);
      CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO public.seen
        VALUES (current_setting(''transaction_isolation''), current_setting(''synchronous_commit''));
        RETURN NEW; END';
      CREATE TRIGGER look BEFORE UPDATE ON pipeline.item FOR EACH ROW EXECUTE FUNCTION look()
      """, on: place.store)
    let work = try await place.run("work", "--until-done", "--at-most", "4")
    #expect(work.status == 0, "\(work)")
    place.checkAllDone()
    let seen = try DatabasePlace.sql(
      "SELECT string_agg(DISTINCT isolation, ' '), bool_or(synchronous = 'on') FROM seen",
      on: place.store)
    #expect(seen == "read committed|t")
  }

  @Test func `a database accepts all names, or reports a missing character`() async throws {
    let scene = try Scene()
    try scene.directory.write(ExpiryTests.definition, to: "upload.yaml")
    try scene.directory.write("a", to: "files/写真 🏔.bin")
    for (encoding, status) in [("UTF8", 0), ("SQL_ASCII", 0), ("LATIN1", 3)] as [(String, Int32)] {
      let store = try DatabasePlace.database("ENCODING '\(encoding)' TEMPLATE template0")
      var pipeline = scene.pipeline
      pipeline.environment["PGCLIENTENCODING"] = "LATIN1"
      let created = try await pipeline.run([
        "run", "upload.yaml", "--input", "server=http://127.0.0.1:1", "--create-only", "--name",
        "写真", "--store", store,
      ])
      #expect(created.status == status, "\(encoding): \(created)")
      if status == 0 {
        let items = try await pipeline.run(["items", "写真", "--store", store])
        #expect(items.output.contains("写真 🏔.bin"), "\(encoding): \(items)")
      } else {
        #expect(created.error.contains("use a database with the encoding UTF8"), "\(created)")
      }
    }
  }

  @Test func `a user without rights is informed, and works in a schema created for them`()
    async throws
  {
    let store = try DatabasePlace.database()
    let role = "role_\(UInt64.random(in: 0 ... .max))"
    try DatabasePlace.sql("CREATE ROLE \(role) LOGIN", on: store)
    var url = try #require(URLComponents(string: store))
    url.user = role
    let address = try #require(url.string)
    let scene = try Scene()
    let without = try await scene.pipeline.run("runs", "--store", address)
    #expect(without.status == 3, "\(without)")
    let advice = "CREATE SCHEMA \"pipeline\" AUTHORIZATION \"\(role)\""
    #expect(without.error.contains("let an administrator execute \(advice)"), "\(without)")

    try DatabasePlace.sql(advice, on: store)
    let empty = try await scene.pipeline.run("work", "--until-done", "--store", address)
    #expect(empty.status == 0, "\(empty)")
    let other = "other_\(UInt64.random(in: 0 ... .max))"
    try DatabasePlace.sql("CREATE ROLE \(other) LOGIN", on: store)
    url.user = other
    let refused = try await scene.pipeline.run("runs", "--store", try #require(url.string))
    #expect(refused.status == 3, "\(refused)")
    #expect(refused.error.contains("permission denied for schema pipeline"), "\(refused)")
  }

  @Test func `a wrong password is the server's word, and is not repeated`() async throws {
    let store = try DatabasePlace.database()
    try DatabasePlace.sql(
      """
      DO $body$ BEGIN
        CREATE ROLE locked LOGIN PASSWORD 'sesame';
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $body$
      """, on: store)
    var url = try #require(URLComponents(string: store))
    (url.user, url.password) = ("locked", "barley")
    let scene = try Scene()
    let work = try await scene.pipeline.run("work", "--store", try #require(url.string))
    #expect(work.status == 3, "\(work)")
    #expect(work.error.contains("refuses the connection"), "\(work)")
    #expect(work.error.contains("password authentication failed"), "\(work)")
    #expect(!work.error.contains("barley"), "\(work)")
  }
}
