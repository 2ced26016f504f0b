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
INSERT INTO digest VALUES ('@FOLDER@/files/a.txt', 0, 48, 'sha256', 65024, 16498702, 48, 1767225600000000000, '0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09');
INSERT INTO digest VALUES ('@FOLDER@/files/b.txt', 0, 54, 'sha256', 65024, 16498706, 54, 1767225600000000000, '8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312');
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795579442423, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795579442448, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":21,"bytes":33,"outputs":[{"secret":true,"expires":1795583042427,"stale":1795583037427}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795579442453, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795579442468, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":11,"bytes":26,"outputs":[{"value":"up_cf28689d98435a90f4c9","expires":3235579441924,"stale":3235579436924}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795579442477, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":6,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795579442473300718,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795579442511, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":54,"bytes":26,"outputs":[{"value":"up_dd82d5f37f5928390c72","expires":3235579441919,"stale":3235579436919}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795579442515, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795579442508785525,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795579443024, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795579443028, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795579443038, CAST('[{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400,"response":{"body":"{}","bytes":2}}},{"event":"not_undone","loop":0,"item":1,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795579443039, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400,"response":{"body":"{}","bytes":2}}},{"event":"not_undone","loop":0,"item":0,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795579443041, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (13, 1795579443041, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO item VALUES (0, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795579442453},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795579442511,"begun":1795579442453,"statuses":[201],"outputs":[{"value":"up_dd82d5f37f5928390c72","expires":3235579441919,"stale":3235579436919}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795579442515,"begun":1795579442511},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795579443028,"begun":1795579442515,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (1, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795579442453},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795579442468,"begun":1795579442453,"statuses":[201],"outputs":[{"value":"up_cf28689d98435a90f4c9","expires":3235579441924,"stale":3235579436924}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795579442477,"begun":1795579442468},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795579443028,"begun":1795579442477,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261125-040402-99fs', 'upload', 'cancelled', NULL, 1795579442357, 1795579443039, 0, 0, 0, 2, 0, 0, 1, CAST('{"format":1,"id":"upload-20261125-040402-99fs","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795579442448,"statuses":[200],"outputs":[{"secret":true,"expires":1795583042427,"stale":1795583037427}]}},"loops":[{"counts":[0,0,0,2,0,0,1],"enumerated":true,"bytes_done":0,"left":2}],"random":"9879220250321785603","key_seed":"8pffm1rxre5s4439qgzf","clocks":{"@HOST@":[-448,542]},"request_seconds":0.026000000000000002,"began":1795579442357,"ended":1795579443039,"time":{"boot":"3f070ef7-27a6-4e8a-90e3-b58083e2e37c","origin":1795570847856}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
