-- Statements by name. `{{name}}` stands for an earlier text, or for what the program puts there.

--- launches
-- Which batches of the history start with the first event of a process: those in which one acquired the run.
instr(substr(events, 1, 256), CAST('"limits_known"' AS BLOB)) OR instr(substr(events, 1, 256), CAST('"run_resumed"' AS BLOB))

--- items
SELECT key, status, progress, subject FROM item JOIN subject USING (key)

--- sizes
SELECT status, count(size) AS count, sum(size) AS bytes FROM (
  SELECT item.status AS status, json_extract(CAST(subject AS TEXT), '$.file.size') AS size
  FROM subject JOIN item USING (key))
GROUP BY status

--- left_at_server
SELECT coalesce(sum(json_extract(loop.value, '$.left')), 0)
FROM run, json_each(CAST(state AS TEXT), '$.loops') AS loop

--- idle_time
SELECT coalesce(sum(at - (
  SELECT at FROM history AS earlier WHERE earlier.sequence < history.sequence
  ORDER BY earlier.sequence DESC LIMIT 1)), 0)
FROM history WHERE {{launches}}

--- digests
SELECT algorithm, digest FROM digest
WHERE path = ? AND first = ? AND length = ? AND device = ? AND inode = ? AND size = ?
  AND modified = ?

--- keep_digest
INSERT OR REPLACE INTO digest
  (path, first, length, algorithm, device, inode, size, modified, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)

--- active_items
{{items}}
WHERE status = ? AND status < 4 ORDER BY key

--- some_items
{{items}}
WHERE key BETWEEN ? AND ? {{condition}} ORDER BY key LIMIT ?

--- items_called
{{items}}
WHERE instr(subject, ?) > 0 OR instr(subject, ?) > 0 ORDER BY key

--- keep_part
INSERT OR REPLACE INTO part (item, step, generation, number, collected)
VALUES (?, ?, ?, ?, ?)

--- series_tables
CREATE TABLE run (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, is_there INTEGER NOT NULL) STRICT;
CREATE TABLE file (
  path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
  inode INTEGER NOT NULL, run INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

--- taker
SELECT id FROM run JOIN file ON file.run = run.number
WHERE file.path = ? AND file.size = ? AND file.modified = ?

--- insert_items
INSERT INTO item (key, status, progress)
SELECT key, ?, x'' FROM subject WHERE key BETWEEN ? AND ? ORDER BY key

--- insert_run
INSERT INTO run (id, run, pipeline, status, began, pending, active, paused, failed, done,
  skipped, cancelled, state)
VALUES (1, ?, ?, '', 0, 0, 0, 0, 0, 0, 0, 0, x'')

--- update_run
UPDATE run SET status = ?, reason = ?, began = ?, ended = ?, pending = ?, active = ?,
  paused = ?, failed = ?, done = ?, skipped = ?, cancelled = ?, state = ? WHERE id = 1

--- meta_table
CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  program TEXT NOT NULL
) STRICT;
