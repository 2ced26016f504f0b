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
INSERT INTO history VALUES (1, 1795689611686, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795689611695, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":7,"bytes":33,"outputs":[{"secret":true,"expires":1795693211688,"stale":1795693206688}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795689611696, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795689611701, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_9213cf34f25d71c963f9","expires":3235689611399,"stale":3235689606399}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795689611743, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_71af26656fba5eade5fc","expires":3235689611396,"stale":3235689606396}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795689611747, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795689611787, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795689611795, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_45e8e0e022b2ff52b258","expires":3235689611498,"stale":3235689606498}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795689611839, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611743,"begun":1795689611696,"statuses":[201],"outputs":[{"value":"up_71af26656fba5eade5fc","expires":3235689611396,"stale":3235689606396}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611787,"begun":1795689611743,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795689611839,"begun":1795689611839,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795689611839}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611701,"begun":1795689611696,"statuses":[201],"outputs":[{"value":"up_9213cf34f25d71c963f9","expires":3235689611399,"stale":3235689606399}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611747,"begun":1795689611701,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795689611839,"begun":1795689611839,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795689611839}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611795,"begun":1795689611747,"statuses":[201],"outputs":[{"value":"up_45e8e0e022b2ff52b258","expires":3235689611498,"stale":3235689606498}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611839,"begun":1795689611795,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795689611839,"begun":1795689611839,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795689611839}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261126-104011-imni', 'batch', 'running', NULL, 1795689611680, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261126-104011-imni","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795689611695,"begun":1795689611686,"statuses":[200],"outputs":[{"secret":true,"expires":1795693211688,"stale":1795693206688}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"1450861013078594892","key_seed":"y4zc07f89gcsm8mjzszv","clocks":{"@HOST@":[-695,203]},"bytes_per_second":1208.9787664307382,"request_seconds":0.021016,"began":1795689611680,"time":{"boot":"9c6f164c-7e71-42d4-a2a9-d2cdaaf29b02","origin":1795684468771}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
