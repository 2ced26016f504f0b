-- A whole batch in one statement; token names it and previous the one before, so that a batch that is sent again is stored once.
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
  -- Finds each row by its whole key. Until a table has been analyzed, PostgreSQL assumes that a shard has one row, and a join would read all rows.
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
    -- From pending to cancelled: numbers of a released version, which do not follow the type.
    UPDATE item SET status = 6
      WHERE run = r AND shard = s AND status = 0 AND key BETWEEN p.first AND p.last;
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
