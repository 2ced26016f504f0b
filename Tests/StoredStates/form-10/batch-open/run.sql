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
CREATE TABLE digest (
  path TEXT NOT NULL,
  first INTEGER NOT NULL,
  length INTEGER NOT NULL,
  algorithm TEXT NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (path, first, length, algorithm)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_launch ON history (sequence) WHERE instr(substr(events, 1, 256), CAST('"limits_known"' AS BLOB)) OR instr(substr(events, 1, 256), CAST('"run_resumed"' AS BLOB));
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('10');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795689612105, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795689612114, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":7,"bytes":33,"outputs":[{"secret":true,"expires":1795693212107,"stale":1795693207107}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795689612115, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795689612119, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":26,"outputs":[{"value":"up_8054276daffaf60eafd2","expires":3235689611236,"stale":3235689606236}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795689612159, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":43,"bytes":26,"outputs":[{"value":"up_ad3b306fa6d6a67ce991","expires":3235689611235,"stale":3235689606235}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795689612163, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795689612203, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795689612207, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":43,"bytes":26,"outputs":[{"value":"up_003731c357211447c720","expires":3235689611331,"stale":3235689606331}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795689612251, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (10, 1795689612254, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612159,"begun":1795689612115,"statuses":[201],"outputs":[{"value":"up_ad3b306fa6d6a67ce991","expires":3235689611235,"stale":3235689606235}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612203,"begun":1795689612159,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795689612254,"begun":1795689612251,"not_before":1795689615254,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795689612251,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612119,"begun":1795689612115,"statuses":[201],"outputs":[{"value":"up_8054276daffaf60eafd2","expires":3235689611236,"stale":3235689606236}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612163,"begun":1795689612119,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795689612254,"begun":1795689612251,"not_before":1795689615254,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795689612251,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612207,"begun":1795689612163,"statuses":[201],"outputs":[{"value":"up_003731c357211447c720","expires":3235689611331,"stale":3235689606331}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612251,"begun":1795689612207,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795689612254,"begun":1795689612251,"not_before":1795689615254,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795689612251,"open":true}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261126-104012-2icr', 'batch', 'running', NULL, 1795689612099, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261126-104012-2icr","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795689612114,"begun":1795689612105,"statuses":[200],"outputs":[{"secret":true,"expires":1795693212107,"stale":1795693207107}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"2630692626737923867","key_seed":"xvqq6q59akwhmdf3eh5e","clocks":{"@HOST@":[-114,791]},"bytes_per_second":1261.3953488372094,"request_seconds":0.019448,"began":1795689612099,"time":{"boot":"9c6f164c-7e71-42d4-a2a9-d2cdaaf29b02","origin":1795684468771}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
