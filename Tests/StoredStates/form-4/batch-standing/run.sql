PRAGMA application_id = 1346981957;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE owner (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL
) STRICT;
CREATE TABLE run (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  run TEXT NOT NULL,
  pipeline TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  began INTEGER NOT NULL,
  ended INTEGER,
  pending INTEGER NOT NULL,
  active INTEGER NOT NULL,
  paused INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  done INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  state BLOB NOT NULL
) STRICT;
CREATE TABLE subject (
  key INTEGER PRIMARY KEY,
  subject BLOB NOT NULL
) STRICT;
CREATE TABLE item (
  key INTEGER PRIMARY KEY,
  status INTEGER NOT NULL,
  progress BLOB NOT NULL
) STRICT;
CREATE INDEX item_open ON item (status) WHERE status < 4;
CREATE TABLE history (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  events BLOB NOT NULL
) STRICT;
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO history VALUES (1, 1795392418219, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392418237, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":15,"bytes":33,"outputs":[{"secret":true,"expires":1795396018222,"stale":1795396013222}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392418239, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392418250, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_88aa978077579341ed62","expires":3235392417490,"stale":3235392412490}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392418286, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_304c540359b844c78430","expires":3235392417484,"stale":3235392412484}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392418298, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392418346, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":44,"bytes":26,"outputs":[{"value":"up_2f2de67a040142129f2e","expires":3235392417608,"stale":3235392412608}]}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392418394, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392418286,"begun":1795392418239,"statuses":[201],"outputs":[{"value":"up_304c540359b844c78430","expires":3235392417484,"stale":3235392412484}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795392418286,"begun":1795392418286,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392418250,"begun":1795392418239,"statuses":[201],"outputs":[{"value":"up_88aa978077579341ed62","expires":3235392417490,"stale":3235392412490}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392418298,"begun":1795392418250,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795392418298}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392418346,"begun":1795392418298,"statuses":[201],"outputs":[{"value":"up_2f2de67a040142129f2e","expires":3235392417608,"stale":3235392412608}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392418394,"begun":1795392418346,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795392418394}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-000658-2p9h', 'batch', 'running', NULL, 1795392418147, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-000658-2p9h","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392418237,"begun":1795392418219,"statuses":[200],"outputs":[{"secret":true,"expires":1795396018222,"stale":1795396013222}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"7736379127197225454","key_seed":"g0qsa45a6y6we56gsq8y","clocks":{"@HOST@":[-237,651]},"bytes_per_second":1200.0,"request_seconds":0.024864,"began":1795392418147,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
