-- Statements by name. `{{name}}` stands for an earlier text, or for what the program puts there.

--- launches
-- Which batches of the history start with the first event of a process: those in which one acquired the shard.
position('"limits_known"'::bytea IN substring(events FROM 1 FOR 256)) > 0 OR position('"run_resumed"'::bytea IN substring(events FROM 1 FOR 256)) > 0

--- are_others_done
-- Whether all shards with items are done, and no unfinished item blocks the steps after them.
NOT EXISTS (SELECT 1 FROM shard AS other
  WHERE other.run = run.id AND other.shard > 0
    AND (other.status <> 'finished' OR other.wish IS NOT NULL OR other.counts[3] > 0
      OR run.stops_on_failed AND other.counts[4] > 0))

--- is_unleased
(shard.lease_until IS NULL OR shard.lease_until < clock_timestamp())

--- is_refused
-- Whether as many workers as must agree lacked the same; of a shard that has finished, each item has its own list.
cardinality(shard.agreed) >= 3 AND shard.status <> 'finished'

--- most_attempts
-- How many times in a row a shard may end its worker without progress of any item.
5

--- is_open
shard.attempts < {{most_attempts}} AND NOT ({{is_refused}}) AND (shard.status IN ('running', 'cancelling') OR shard.wish IS NOT NULL
  OR shard.waits AND shard.status = 'paused' AND {{are_others_done}})
AND run.is_loaded
AND (run.is_open AND run.paused IS NULL OR shard.shard = 0 AND run.paused IS NULL
  OR shard.wish = 'cancel' OR shard.status = 'cancelling')

--- has_slot
-- Whether the run of a shard without a lease has a slot for it.
(run.slots >= run.shards OR run.slots > (
  SELECT count(*) FROM shard AS other
  WHERE other.run = run.id AND other.lease_until >= clock_timestamp()))

--- is_free
-- Whether a shard waits for the worker $2: there is something to do, no lease, and a free slot; and this worker has not just left it to others.
-- Its machine is the first part of its name, `MACHINE#PROCESS`: another process lacks the same there.
{{is_open}}
AND (shard.wake_at IS NULL OR shard.wake_at <= clock_timestamp() OR shard.wish IS NOT NULL)
AND NOT (split_part($2, '#', 1) = ANY (shard.refused_by)
  AND shard.refused_at > clock_timestamp() - interval '1 minute')
AND (shard.lease_until IS NULL OR clock_timestamp() > shard.lease_until
  + (power(2, greatest(shard.attempts - 1, 0)) - 1) * interval '{{wait}} ms')
AND {{has_slot}}

--- held
-- How many shards of each run workers hold, and which part of the server's limits they use: the run with the fewest for its weight comes next.
held AS (SELECT run, count(*) AS shards, sum(1::float8 / shares) AS parts FROM shard
  WHERE worker IS NOT NULL AND lease_until >= clock_timestamp() GROUP BY run)

--- shares
-- Among how many shards the server's limits are divided for each of `mine`: all that are held, or more while the `others` use more than their part.
-- They learn of it when they renew. Until then, a new shard has the rest, and at least so little that all new ones together have a sixteenth.
greatest(others.shards + mine.shards,
  CASE WHEN mine.shards < (1 - others.parts) * 16 * run.slots
    THEN ceil(mine.shards / (1 - others.parts) - 1e-6) ELSE 16 * run.slots END)::bigint

--- trouble
-- Why a shard is tried no more, after `most_attempts` workers, or three workers that lacked something; null for any other.
CASE WHEN shard.attempts >= {{most_attempts}} AND {{is_unleased}} THEN
  coalesce(shard.trouble, 'the workers that held it ended without reporting why') || '; tried 5 times'
WHEN {{is_refused}} AND {{is_unleased}} THEN 'left to other workers by '
  || array_to_string(shard.agreed, ', ') || ': ' || coalesce(shard.trouble, '') END

--- refusal
-- Which workers left a shard to others, and why, or until when it waits; null if it does neither.
CASE WHEN shard.wake_at > clock_timestamp() AND {{is_unleased}} THEN 'nothing to do until '
    || to_char(shard.wake_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
WHEN shard.refused_by <> '{}' AND {{is_unleased}} THEN
  'left to other workers by ' || array_to_string(shard.refused_by, ', ') || ': '
    || coalesce(shard.trouble, '') END

--- items_with_subjects
-- `OFFSET 0` keeps PostgreSQL from joining in another way: until the tables are analyzed, it assumes that a shard has one row.
item CROSS JOIN LATERAL (
  SELECT subject FROM subject AS one
  WHERE one.run = item.run AND one.shard = item.shard AND one.key = item.key OFFSET 0) AS found

--- items
SELECT key, status, progress, subject FROM {{items_with_subjects}} WHERE run = $1 AND shard = $2

--- run_columns
run.id, run.run, run.name, run.pipeline, run.shards, run.definition, run.used, run.origin, run.is_loaded, run.paused, run.slots, run.is_open, run.is_paced

--- next_run
-- The run whose shards a worker claims next, and whether its slots are fewer than its shards, or it has rates.
WITH {{held}}
SELECT run.id, run.slots < run.shards OR run.is_paced FROM run LEFT JOIN held ON held.run = run.id
WHERE ($1::bigint IS NULL OR run.id = $1::bigint) AND run.id <> ALL ($3::bigint[])
  AND EXISTS (SELECT 1 FROM shard WHERE shard.run = run.id AND {{is_free}})
ORDER BY run.priority DESC, coalesce(held.shards, 0)::float8 / run.weight, run.id LIMIT 1

--- next_shards
WITH {{held}}, free AS (
  SELECT shard.run, shard.shard FROM shard JOIN run ON run.id = shard.run
  WHERE run.id = $1::bigint AND {{is_free}}
  ORDER BY shard.shard FOR UPDATE OF shard SKIP LOCKED LIMIT (
    SELECT CASE WHEN run.slots >= run.shards THEN $4::bigint
      ELSE least($4::bigint, greatest(run.slots - coalesce(held.shards, 0), 0)) END
    FROM run LEFT JOIN held ON held.run = run.id WHERE run.id = $1::bigint)
), others AS (
  SELECT coalesce(sum(shards), 0) AS shards, coalesce(sum(parts), 0) AS parts FROM held
  WHERE run = $1::bigint
), mine AS (SELECT count(*) AS shards FROM free)
UPDATE shard SET epoch = epoch + 1, attempts = attempts + 1, worker = $2, waits = false, wake_at = NULL,
  wish = CASE WHEN waits THEN coalesce(wish, 'resume') ELSE wish END,
  lease_until = clock_timestamp() + $3::bigint * interval '1 millisecond',
  shares = {{shares}}
FROM free JOIN run ON run.id = free.run, others, mine
WHERE shard.run = free.run AND shard.shard = free.shard
RETURNING shard.shard, shard.epoch, shard.wish, shard.shares, {{run_columns}}

--- is_at_rest
SELECT EXISTS (SELECT 1 FROM shard JOIN run ON run.id = shard.run
  WHERE ($1::bigint IS NULL OR run.id = $1::bigint) AND run.id <> ALL ($2::bigint[])
    AND (shard.lease_until >= clock_timestamp() OR ({{is_open}}) AND (
      shard.refused_by = '{}' OR EXISTS (SELECT 1 FROM worker
        WHERE seen > clock_timestamp() - $3::bigint * interval '1 millisecond'
          AND split_part(worker.worker, '#', 1) <> ALL (shard.refused_by)))))

--- release
UPDATE shard SET epoch = epoch + $6::boolean::integer, worker = NULL, trouble = coalesce($7::text, $8::text),
  wake_at = clock_timestamp() + $10::bigint * interval '1 millisecond',
  refused_at = clock_timestamp(), refused_by = CASE
  WHEN $8::text IS NULL THEN CASE WHEN $6::boolean THEN refused_by ELSE '{}' END
  WHEN $9::boolean THEN ARRAY[split_part($4, '#', 1)]
  ELSE array_remove(refused_by, split_part($4, '#', 1)) || split_part($4, '#', 1) END,
  agreed = CASE WHEN $8::text IS NULL AND $6::boolean THEN agreed
  WHEN $11::text IS NULL THEN '{}'
  ELSE array_remove(CASE WHEN lacking = $11::text THEN agreed ELSE '{}' END,
    split_part($4, '#', 1)) || split_part($4, '#', 1) END,
  lacking = CASE WHEN $8::text IS NULL AND $6::boolean THEN lacking ELSE $11::text END,
  attempts = CASE WHEN $7::text IS NULL THEN 0 ELSE attempts END,
  lease_until = CASE WHEN $7::text IS NOT NULL THEN clock_timestamp() END, wish = CASE
  WHEN $8::text IS NOT NULL AND status IN ('paused', 'finished')
    THEN coalesce(nullif(wish, $5::text), 'resume')
  WHEN $6::boolean THEN coalesce(wish, CASE WHEN status = 'paused' THEN 'resume' END)
  WHEN wish = $5::text THEN NULL ELSE wish END
WHERE run = $1 AND shard = $2 AND epoch = $3 AND worker = $4

--- report
WITH here AS (
  INSERT INTO worker (worker, held, at_most, seen)
  VALUES ($2, $1, $3, clock_timestamp()) ON CONFLICT (worker)
  DO UPDATE SET held = EXCLUDED.held, at_most = EXCLUDED.at_most, seen = EXCLUDED.seen
), gone AS (
  DELETE FROM worker WHERE seen < clock_timestamp() - interval '1 day'
), {{held}}, poorest AS (
  SELECT run.priority, min((coalesce(held.shards, 0) + 1)::float8 / run.weight) AS share
  FROM shard JOIN run ON run.id = shard.run LEFT JOIN held ON held.run = run.id
  WHERE {{is_free}} AND ($5::bigint IS NULL OR run.id = $5::bigint)
    AND NOT EXISTS (SELECT 1 FROM worker AS idle WHERE idle.worker <> $2
      AND idle.held < idle.at_most
      AND idle.seen > clock_timestamp() - $4::bigint * interval '1 millisecond')
  GROUP BY 1 ORDER BY 1 DESC LIMIT 1
), spare AS (
  SELECT shard.run, shard.shard, shard.worker FROM shard JOIN run ON run.id = shard.run
    JOIN held ON held.run = run.id, poorest
  WHERE shard.worker IS NOT NULL AND shard.lease_until >= clock_timestamp()
    AND (run.priority < poorest.priority OR run.priority = poorest.priority
      AND (held.shards - 1)::float8 / run.weight >= poorest.share)
  ORDER BY run.priority, held.shards::float8 / run.weight DESC, shard.run, shard.shard DESC
  LIMIT 1
)
SELECT (SELECT min(held) FROM worker WHERE worker <> $2 AND held < at_most
    AND seen > clock_timestamp() - $4::bigint * interval '1 millisecond'),
  EXISTS (SELECT 1 FROM shard JOIN run ON run.id = shard.run WHERE {{is_free}}
    AND ($5::bigint IS NULL OR run.id = $5::bigint)),
  (SELECT run FROM spare WHERE worker = $2), (SELECT shard FROM spare WHERE worker = $2)

--- try_again
-- Shards that ended workers, or were left to others, are tried again.
UPDATE shard SET attempts = 0, trouble = NULL, refused_by = '{}', agreed = '{}'
WHERE run = $1 AND (attempts >= {{most_attempts}} OR refused_by <> '{}')
  AND {{is_unleased}}

--- shards
SELECT shard, status, reason, began, ended, counts,
  CASE WHEN lease_until > clock_timestamp() THEN worker END, wish, {{trouble}},
  {{refusal}}
FROM shard WHERE run = $1 AND status IS NOT NULL ORDER BY shard

--- held_shards
SELECT count(*) FILTER (WHERE lease_until > clock_timestamp()) FROM (
  SELECT lease_until FROM shard WHERE run = $1 FOR UPDATE) AS shards

--- states
SELECT shard.shard, state, frame, (
  SELECT coalesce(sum(at - coalesce((
    SELECT at FROM history AS earlier
    WHERE earlier.run = history.run AND earlier.shard = history.shard
      AND earlier.sequence < history.sequence
    ORDER BY earlier.sequence DESC LIMIT 1), shard.began)), 0)::bigint
  FROM history WHERE run = shard.run AND history.shard = shard.shard
    AND ({{launches}}))
FROM shard WHERE run = $1 AND state IS NOT NULL

--- renew
UPDATE shard SET lease_until = clock_timestamp() + $2::bigint * interval '1 millisecond'
FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) WITH ORDINALITY
  AS mine (run, shard, epoch, position) JOIN run ON run.id = mine.run
WHERE shard.run = mine.run AND shard.shard = mine.shard AND shard.epoch = mine.epoch
  AND shard.worker = $1 AND {{condition}}
RETURNING mine.position, run.paused, shard.wish

--- divide
-- Divides the server's limits again for the shards of a run that a worker holds; returns among how many.
-- What the worker is only about to hear that it has claimed counts as another's. A larger part is taken at once. A smaller one is left to others when the worker renews again: until then, it may not have heard of it.
WITH others AS (
  SELECT count(*) AS shards, coalesce(sum(1::float8 / shares), 0) AS parts FROM shard
  WHERE run = $1 AND worker IS NOT NULL AND lease_until >= clock_timestamp()
    AND NOT (worker = $2 AND shard = ANY ($3::bigint[]))
), mine AS (SELECT greatest(count(*), 1) AS shards FROM shard
  WHERE run = $1 AND worker = $2 AND lease_until >= clock_timestamp()
    AND shard = ANY ($3::bigint[])
), target AS (SELECT {{shares}} AS shares FROM others, mine, run WHERE run.id = $1
), divided AS (
  UPDATE shard SET shares = least(used.shares, target.shares)
  FROM unnest($3::bigint[], $4::bigint[]) AS used (shard, shares), target
  WHERE run = $1 AND worker = $2 AND shard.shard = used.shard
    AND shard.shares <> least(used.shares, target.shares))
SELECT shares FROM target

--- known_tables
SELECT coalesce(bool_or(tablename = 'meta'), false), count(*) > 0 FROM pg_tables
WHERE schemaname = $1::text AND tablename IN ('meta', 'run', 'migration')

--- hold_credential
INSERT INTO credential AS kept (token_url, client, origin, holder, held_until)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5::bigint * interval '1 millisecond')
ON CONFLICT (token_url, client, origin)
DO UPDATE SET holder = EXCLUDED.holder, held_until = EXCLUDED.held_until
WHERE kept.holder IS NULL OR kept.holder = EXCLUDED.holder
  OR kept.held_until < clock_timestamp()
RETURNING sealed

--- release_credential
UPDATE credential SET holder = NULL, held_until = NULL, sealed = coalesce($5, sealed),
  stored = CASE WHEN $5::text IS NULL THEN stored ELSE clock_timestamp() END
WHERE token_url = $1 AND client = $2 AND origin = $3 AND (holder = $4 OR sealed = $5)

--- credentials
SELECT token_url, client, origin,
  to_char(stored AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
FROM credential WHERE sealed IS NOT NULL ORDER BY 1, 2, 3

--- remove_credential
DELETE FROM credential WHERE token_url = $1 AND client = $2 AND origin = $3
  AND (holder IS NULL OR held_until < clock_timestamp())

--- create_run
INSERT INTO run (run, name, pipeline, shards, slots, definition, used, origin,
  is_open, stops_on_failed, priority, weight, is_paced)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING {{run_columns}}

--- create_shard
INSERT INTO shard (run, shard, state, frame, status, reason, began, ended, counts)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)

--- sizes
SELECT status, count(size), sum(size)::bigint FROM (
  SELECT status, (convert_from(subject, 'UTF8')::json #>> '{file,size}')::bigint AS size
  FROM {{items_with_subjects}} WHERE run = $1 AND shard = $2) AS files
WHERE size IS NOT NULL GROUP BY status

--- idle_time
SELECT coalesce(sum(at - coalesce((
  SELECT at FROM history AS earlier
  WHERE earlier.run = $1 AND earlier.shard = $2 AND earlier.sequence < history.sequence
  ORDER BY earlier.sequence DESC LIMIT 1),
  (SELECT began FROM shard WHERE run = $1 AND shard = $2))), 0)::bigint
FROM history WHERE run = $1 AND shard = $2 AND ({{launches}})

--- active_items
{{items}} AND status = 1 AND status < 4 ORDER BY key

--- some_items
{{items}} AND key BETWEEN $3 AND $4 {{condition}} ORDER BY key LIMIT $5

--- items_called
{{items}}
AND (position($3::bytea IN subject) > 0 OR position($4::bytea IN subject) > 0) ORDER BY key

--- history
SELECT sequence, at, events FROM history
WHERE run = $1 AND shard = $2 AND sequence > $3 ORDER BY sequence LIMIT $4

--- parts
SELECT number, collected FROM part
WHERE run = $1 AND shard = $2 AND item = $3 AND step = $4 AND generation = $5

--- claim
INSERT INTO shard AS known (run, shard, epoch) VALUES ($1, $2, 1)
ON CONFLICT (run, shard) DO UPDATE SET epoch = known.epoch + 1
RETURNING epoch, last_commit, requeued

--- begin
SELECT epoch, last_commit, requeued FROM shard
WHERE run = $1 AND shard = $2 AND epoch = $3 FOR UPDATE

--- commit
SELECT * FROM commit_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
  $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)

--- store
UPDATE shard SET state = $3, frame = $4, status = $5, reason = $6, began = $7, ended = $8,
  counts = $9 WHERE run = $1 AND shard = $2

--- count_requeued
SELECT count(*) FILTER (WHERE status = 0), count(*) FILTER (WHERE status = 2),
  count(*) FILTER (WHERE status = 3)
FROM item WHERE run = $1 AND shard = $2 AND key BETWEEN $3 AND $4 AND status < 4
