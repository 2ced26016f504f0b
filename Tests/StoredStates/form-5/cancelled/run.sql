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
INSERT INTO history VALUES (1, 1795465759128, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465759138, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795469359129,"stale":1795469354129}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465759139, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465759145, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_e930113ad2aa9c3c94d9","expires":3235465758286,"stale":3235465753286}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465759147, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465759144733380,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465759192, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":51,"bytes":26,"outputs":[{"value":"up_ad1dbff3fa95247baced","expires":3235465758284,"stale":3235465753284}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465759194, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465759188733380,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465759328, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465759329, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465759334, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"success","status":204,"milliseconds":0}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465759335, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (12, 1795465759336, CAST('[{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"success","status":204,"milliseconds":0}]' AS BLOB));
INSERT INTO history VALUES (13, 1795465759337, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 6, CAST('{"steps":{"look":{"status":"pending","generation":0,"since":1795465759139},"allocate":{"status":"pending","generation":1,"since":1795465759145},"body":{"status":"pending","generation":1,"since":1795465759147},"upload":{"status":"pending","generation":1,"since":1795465759329}}}' AS BLOB));
INSERT INTO item VALUES (1, 6, CAST('{"steps":{"look":{"status":"pending","generation":0,"since":1795465759139},"allocate":{"status":"pending","generation":1,"since":1795465759192},"body":{"status":"pending","generation":1,"since":1795465759194},"upload":{"status":"pending","generation":1,"since":1795465759329}}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-202919-2nqm', 'upload', 'cancelled', NULL, 1795465759104, 1795465759336, 0, 0, 0, 0, 0, 0, 3, CAST('{"format":1,"id":"upload-20261123-202919-2nqm","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465759138,"statuses":[200],"outputs":[{"secret":true,"expires":1795469359129,"stale":1795469354129}]}},"loops":[{"counts":[0,0,0,0,0,0,3],"enumerated":true,"bytes_done":0}],"random":"8948868638709890232","key_seed":"wq7ntrshjb0d40677kvv","clocks":{"@HOST@":[-138,858]},"request_seconds":0.0166,"began":1795465759104,"ended":1795465759336,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
