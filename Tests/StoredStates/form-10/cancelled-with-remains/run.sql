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
INSERT INTO digest VALUES ('@FOLDER@/files/a.txt', 0, 48, 'sha256', 65024, 16278261, 48, 1767225600000000000, '0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09');
INSERT INTO digest VALUES ('@FOLDER@/files/b.txt', 0, 54, 'sha256', 65024, 16278262, 54, 1767225600000000000, '8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312');
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
INSERT INTO history VALUES (1, 1795652568590, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795652568601, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795656168592,"stale":1795656163592}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795652568602, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795652568608, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":26,"outputs":[{"value":"up_b0428feffb67bb876864","expires":3235652568210,"stale":3235652563210}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795652568610, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"pieces/0/0-0-body","name":"a.txt","size":48,"modified":1795652568608000000,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795652568652, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":49,"bytes":26,"outputs":[{"value":"up_50dad586b51ba337e95e","expires":3235652568210,"stale":3235652563210}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795652568656, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":54,"file":{"path":"pieces/1/0-1-body","name":"b.txt","size":54,"modified":1795652568652000000,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795652568755, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795652568757, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795652568759, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (11, 1795652568762, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400,"response":{"body":"{}","bytes":2}}},{"event":"not_undone","loop":0,"item":0,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795652568763, CAST('[{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400,"response":{"body":"{}","bytes":2}}},{"event":"not_undone","loop":0,"item":1,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO item VALUES (0, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795652568602},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795652568608,"begun":1795652568602,"statuses":[201],"outputs":[{"value":"up_b0428feffb67bb876864","expires":3235652568210,"stale":3235652563210}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795652568610,"begun":1795652568608,"file":{"path":"pieces/0/0-0-body","name":"a.txt","size":48,"modified":1795652568608000000,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795652568759,"begun":1795652568610,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (1, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795652568602},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795652568652,"begun":1795652568602,"statuses":[201],"outputs":[{"value":"up_50dad586b51ba337e95e","expires":3235652568210,"stale":3235652563210}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795652568656,"begun":1795652568652,"file":{"path":"pieces/1/0-1-body","name":"b.txt","size":54,"modified":1795652568652000000,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795652568757,"begun":1795652568656,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261126-002248-fund', 'upload', 'cancelled', NULL, 1795652568583, 1795652568763, 0, 0, 0, 2, 0, 0, 1, CAST('{"format":1,"id":"upload-20261126-002248-fund","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795652568601,"statuses":[200],"outputs":[{"secret":true,"expires":1795656168592,"stale":1795656163592}]}},"loops":[{"counts":[0,0,0,2,0,0,1],"enumerated":true,"bytes_done":0,"left":2}],"random":"12716329900406948434","key_seed":"rkvve7mf4k4qsfaypv3x","clocks":{"@HOST@":[-601,396]},"request_seconds":0.01636,"began":1795652568583,"ended":1795652568763,"time":{"boot":"c03f3a73-e425-414d-891f-437f88a82e6d","origin":1795630866804}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
