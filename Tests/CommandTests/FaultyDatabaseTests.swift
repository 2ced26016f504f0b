import Foundation
import TestSupport
import Testing

/// Databases that fail while a run is worked on.
@Suite(.enabled(if: DatabasePlace.address != nil, "PIPELINE_TEST_POSTGRESQL names no server"))
struct FaultyDatabaseTests {
  @Test func `a database that is full ends the work, and nothing is lost`() async throws {
    let place = try await DatabasePlace()
    try await place.create()
    try DatabasePlace.sql(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $body$;
      CREATE TRIGGER refuse BEFORE UPDATE ON pipeline.item FOR EACH ROW
        WHEN (NEW.status = 4) EXECUTE FUNCTION refuse()
      """, on: place.store)
    let full = try await place.run("work", "--until-done")
    #expect(full.status == 3, "\(full)")
    #expect(full.error.contains("is full; nothing was lost"), "\(full)")

    try DatabasePlace.sql("DROP TRIGGER refuse ON pipeline.item", on: place.store)
    let again = try await place.run("work", "--until-done")
    #expect(again.status == 0, "\(again)")
    place.checkAllDone()
  }

  @Test func `a database that goes away for some seconds is waited for`() async throws {
    let place = try await DatabasePlace("--latency", "30ms")
    try await place.create()
    let work = try place.start("work", "--until-done", "--lease", "10s")
    try await place.server.wait(for: "finalize", count: 3)
    let name = try #require(URLComponents(string: place.store)?.path.dropFirst())
    let known = try #require(DatabasePlace.address)
    try DatabasePlace.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", on: known)
    try DatabasePlace.sql(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(name)'",
      on: known)
    let before = place.server.journal.count { $0.event == "finalize" }
    #expect(before < 30)
    try DatabasePlace.sql("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", on: known)
    let outcome = try await work.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    place.checkAllDone()
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
