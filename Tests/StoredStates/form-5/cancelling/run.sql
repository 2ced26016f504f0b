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
INSERT INTO history VALUES (1, 1795465756592, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465756606, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":11,"bytes":33,"outputs":[{"secret":true,"expires":1795469356595,"stale":1795469351595}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465756608, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465756617, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":26,"outputs":[{"value":"up_49059094a3821d24b353","expires":3235465756226,"stale":3235465751226}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465756619, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465756617761553,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465756655, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_a84dd50f2afa14d3da30","expires":3235465756222,"stale":3235465751222}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465756657, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465756657015694,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465756792, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465756794, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465756608},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756655,"begun":1795465756608,"statuses":[201],"outputs":[{"value":"up_a84dd50f2afa14d3da30","expires":3235465756222,"stale":3235465751222}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756657,"begun":1795465756655,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465756657015694,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795465756794,"begun":1795465756657,"sources":[1,1,1]}},"abandoning":{"index":0,"attempt":1,"next":6,"begun":1795465756794,"since":1795465756794}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465756608},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756617,"begun":1795465756608,"statuses":[201],"outputs":[{"value":"up_49059094a3821d24b353","expires":3235465756226,"stale":3235465751226}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756619,"begun":1795465756617,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465756617761553,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795465756794,"begun":1795465756619,"sources":[1,1,1]}},"abandoning":{"index":0,"attempt":1,"next":6,"begun":1795465756794,"since":1795465756794}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-202916-fako', 'upload', 'cancelling', NULL, 1795465756565, NULL, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261123-202916-fako","status":"cancelling","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465756606,"statuses":[200],"outputs":[{"secret":true,"expires":1795469356595,"stale":1795469351595}]}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"12706014515371147327","key_seed":"p8wmh4wpyag6ekx0hm3a","clocks":{"@HOST@":[-606,389]},"request_seconds":0.01736,"began":1795465756565,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
