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
INSERT INTO history VALUES (1, 1795465757564, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465757574, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795469357566,"stale":1795469352566}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465757575, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465757582, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":26,"outputs":[{"value":"up_eddba610757c13e15352","expires":3235465757159,"stale":3235465752159}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465757583, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465757583275482,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465757622, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_2be4b728f759c2414312","expires":3235465757156,"stale":3235465752156}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465757624, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465757624655045,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465757764, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465757766, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465757770, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400}},{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400}},{"event":"not_undone","loop":0,"item":0,"failure":{"message":"not undone at the server: DELETE returned 400"}},{"event":"not_undone","loop":0,"item":1,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465757771, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48},{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465757575},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465757622,"begun":1795465757575,"statuses":[201],"outputs":[{"value":"up_2be4b728f759c2414312","expires":3235465757156,"stale":3235465752156}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465757624,"begun":1795465757622},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795465757766,"begun":1795465757624,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (1, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465757575},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465757582,"begun":1795465757575,"statuses":[201],"outputs":[{"value":"up_eddba610757c13e15352","expires":3235465757159,"stale":3235465752159}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465757583,"begun":1795465757582},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795465757766,"begun":1795465757583,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-202917-ep60', 'upload', 'cancelled', NULL, 1795465757539, 1795465757770, 0, 0, 0, 2, 0, 0, 1, CAST('{"format":1,"id":"upload-20261123-202917-ep60","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465757574,"statuses":[200],"outputs":[{"secret":true,"expires":1795469357566,"stale":1795469352566}]}},"loops":[{"counts":[0,0,0,2,0,0,1],"enumerated":true,"bytes_done":0,"left":2}],"random":"11066609575214381331","key_seed":"1kr756tr354yvmrvrv37","clocks":{"@HOST@":[-574,422]},"request_seconds":0.01512,"began":1795465757539,"ended":1795465757770,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943790}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
