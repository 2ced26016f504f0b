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
  is_paced boolean NOT NULL DEFAULT false,
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
  shares bigint NOT NULL DEFAULT 1,
  attempts bigint NOT NULL DEFAULT 0,
  trouble text,
  wish text,
  refused_by text[] NOT NULL DEFAULT '{}',
  agreed text[] NOT NULL DEFAULT '{}',
  lacking text,
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
CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM pg_notify(TG_TABLE_SCHEMA, 'asked');
  RETURN NULL;
END $body$;
CREATE FUNCTION announce_release() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  -- A shard that is done frees nothing that others could use, unless workers wait for its slot.
  IF NEW.status IN ('running', 'cancelling') OR NEW.status IS NULL OR NEW.wish IS NOT NULL
    OR EXISTS (SELECT FROM run WHERE id = NEW.run AND slots < shards)
  THEN
    PERFORM pg_notify(TG_TABLE_SCHEMA, 'free');
  END IF;
  RETURN NULL;
END $body$;
CREATE TRIGGER shard_released AFTER UPDATE OF worker ON shard FOR EACH ROW
  WHEN (NEW.worker IS NULL) EXECUTE FUNCTION announce_release();
CREATE TRIGGER shard_asked AFTER UPDATE OF wish ON shard FOR EACH ROW
  WHEN (NEW.wish IS NOT NULL AND NEW.wish IS DISTINCT FROM OLD.wish) EXECUTE FUNCTION announce();
CREATE TRIGGER run_changed AFTER UPDATE OF paused, is_open, is_loaded ON run FOR EACH ROW
  EXECUTE FUNCTION announce();
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
