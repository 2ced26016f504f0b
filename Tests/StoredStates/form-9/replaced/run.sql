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
INSERT INTO digest VALUES ('@FOLDER@/files/c.txt', 0, 60, 'sha256', 65024, 16498708, 60, 1767225600000000000, '3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd');
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795579444365, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795579444384, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":15,"bytes":33,"outputs":[{"secret":true,"expires":1795583044369,"stale":1795583039369}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795579444387, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795579444399, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_e568a5ee8d661c7306be","expires":3235579443789,"stale":3235579438789}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795579444405, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795579444396785607,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795579444441, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":51,"bytes":26,"outputs":[{"value":"up_fba3596f64f57246fdd5","expires":3235579443786,"stale":3235579438786}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795579444445, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795579444436785609,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795579444457, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795579444498, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"expired","failure":{"message":"step ''upload'': PUT returned 404","status":404,"response":{"body":"{}","bytes":2}},"expired":"allocate"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795579444505, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44}]' AS BLOB));
INSERT INTO history VALUES (11, 1795579444508, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (12, 1795579444546, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":2,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_22fc20e4f167e89a6819","expires":3235579444003,"stale":3235579439003}]}]' AS BLOB));
INSERT INTO history VALUES (13, 1795579444553, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_42ed9b67409f8f8bd3e6","expires":3235579444018,"stale":3235579439018}]}]' AS BLOB));
INSERT INTO history VALUES (14, 1795579444556, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795579444550477831,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (15, 1795579444597, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":2,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (16, 1795579444605, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (17, 1795579444646, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (18, 1795579444649, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (19, 1795579444653, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (20, 1795579444654, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795579444387},"allocate":{"status":"succeeded","generation":2,"attempt":1,"reissues":1,"since":1795579444546,"begun":1795579444498,"statuses":[201],"outputs":[{"value":"up_22fc20e4f167e89a6819","expires":3235579444003,"stale":3235579439003}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795579444445,"begun":1795579444441},"upload":{"status":"succeeded","generation":2,"attempt":1,"since":1795579444597,"begun":1795579444546,"statuses":[200],"sources":[2,1,1]},"finalize":{"status":"succeeded","generation":1,"attempt":1,"since":1795579444646,"begun":1795579444597,"statuses":[200],"sources":[2,1,2]}},"abandoning":{"index":1,"attempt":1,"next":4,"begun":1795579444646,"since":1795579444646},"remnants":[{"compensation":0,"steps":{"allocate":{"status":"succeeded","generation":1,"since":1795579444441,"outputs":[{"value":"up_fba3596f64f57246fdd5"}]}}}]}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261125-040404-7uqw', 'upload', 'running', NULL, 1795579444303, NULL, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261125-040404-7uqw","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795579444384,"begun":1795579444365,"statuses":[200],"outputs":[{"secret":true,"expires":1795583044369,"stale":1795583039369}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"9681664019846910026","key_seed":"hev6rrjaa2yvh8pmm5gc","clocks":{"@HOST@":[-384,392]},"bytes_per_second":1117.3599652627008,"request_seconds":0.0374399744,"began":1795579444303,"time":{"boot":"3f070ef7-27a6-4e8a-90e3-b58083e2e37c","origin":1795570847857}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
