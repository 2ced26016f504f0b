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
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO history VALUES (1, 1795465756103, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465756115, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795469356106,"stale":1795469351106}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465756115, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465756124, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_78f55349a8c8ff3151ac","expires":3235465755242,"stale":3235465750242}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465756166, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_9b6512386fdf2bd8164a","expires":3235465755239,"stale":3235465750239}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465756170, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465756219, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50,"bytes":48},{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465756270, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465756271, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465756322, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465756324, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795465756320733400,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795465756326, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756166,"begun":1795465756115,"statuses":[201],"outputs":[{"value":"up_9b6512386fdf2bd8164a","expires":3235465755239,"stale":3235465750239}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756219,"begun":1795465756166,"statuses":[200],"sources":[1,1]},"arrival":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756270,"begun":1795465756219,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756322,"begun":1795465756270,"statuses":[200],"sources":[1,1,1]},"copy":{"status":"running","generation":1,"attempt":1,"since":1795465756322,"begun":1795465756322,"sources":[1,1,1],"reserved":1024}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"running","generation":1,"attempt":1,"since":1795465756324,"begun":1795465756324,"sources":[1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261123-202916-1sx0', 'download', 'running', NULL, 1795465756078, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261123-202916-1sx0","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756115,"begun":1795465756103,"statuses":[200],"outputs":[{"secret":true,"expires":1795469356106,"stale":1795469351106}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"5229367959994525078","key_seed":"csggkjey5ak9wpqma6gw","clocks":{"@HOST@":[-114,725]},"bytes_per_second":1173.8181818181818,"request_seconds":0.035347328000000004,"began":1795465756078,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943790}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
