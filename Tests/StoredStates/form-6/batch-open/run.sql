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
CREATE TABLE part (
  item INTEGER NOT NULL,
  step TEXT NOT NULL,
  generation INTEGER NOT NULL,
  number INTEGER NOT NULL,
  collected BLOB NOT NULL,
  PRIMARY KEY (item, step, generation, number)
) STRICT, WITHOUT ROWID;
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO history VALUES (1, 1795516297827, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795516297839, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795519897829,"stale":1795519892829}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795516297878, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795516297893, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":26,"outputs":[{"value":"up_d7fa34352aba1ea94a6f","expires":3235516297777,"stale":3235516292777}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795516297902, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_1ba7c40eb64bcc4d1013","expires":3235516297779,"stale":3235516292779}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795516297950, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (7, 1795516297957, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":51,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (8, 1795516298002, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_bb41b6b654144bb19bd7","expires":3235516297918,"stale":3235516292918}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795516298007, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":3,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (10, 1795516298012, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297893,"begun":1795516297878,"statuses":[201],"outputs":[{"value":"up_d7fa34352aba1ea94a6f","expires":3235516297777,"stale":3235516292777}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297950,"begun":1795516297893,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795516298012,"begun":1795516298007,"not_before":1795516301012,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795516298007,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297902,"begun":1795516297878,"statuses":[201],"outputs":[{"value":"up_1ba7c40eb64bcc4d1013","expires":3235516297779,"stale":3235516292779}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297957,"begun":1795516297902,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795516298012,"begun":1795516298007,"not_before":1795516301012,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795516298007,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516298002,"begun":1795516297950,"statuses":[201],"outputs":[{"value":"up_bb41b6b654144bb19bd7","expires":3235516297918,"stale":3235516292918}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516298007,"begun":1795516298002,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795516298012,"begun":1795516298007,"not_before":1795516301012,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795516298007,"open":true}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261124-103137-jxty', 'batch', 'running', NULL, 1795516297750, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261124-103137-jxty","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297839,"begun":1795516297827,"statuses":[200],"outputs":[{"secret":true,"expires":1795519897829,"stale":1795519892829}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"13916872914501555895","key_seed":"4kh0e74cq7ymtcr2gmdz","clocks":{"@HOST@":[-7,42]},"bytes_per_second":4823.028785982478,"request_seconds":0.015976,"began":1795516297750,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
