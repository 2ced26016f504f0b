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
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO history VALUES (1, 1795534914843, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534914857, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795538514846,"stale":1795538509846}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534914858, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534914869, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_5b20846ee99743e2e21f","expires":3235534914726,"stale":3235534909726}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534914872, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534914869843152,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534914907, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_cc34958a00758f9f14f2","expires":3235534914723,"stale":3235534909723}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534914909, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534914903856900,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534915143, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534915145, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534915149, CAST('[{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"success","status":204,"milliseconds":0}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534915151, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (12, 1795534915151, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"success","status":204,"milliseconds":0}]' AS BLOB));
INSERT INTO history VALUES (13, 1795534915152, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO item VALUES (0, 6, CAST('{"steps":{"look":{"status":"pending","generation":0,"since":1795534914858},"allocate":{"status":"pending","generation":1,"since":1795534914907},"body":{"status":"pending","generation":1,"since":1795534914909},"upload":{"status":"pending","generation":1,"since":1795534915145}}}' AS BLOB));
INSERT INTO item VALUES (1, 6, CAST('{"steps":{"look":{"status":"pending","generation":0,"since":1795534914858},"allocate":{"status":"pending","generation":1,"since":1795534914869},"body":{"status":"pending","generation":1,"since":1795534914872},"upload":{"status":"pending","generation":1,"since":1795534915145}}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154154-m76v', 'upload', 'cancelled', NULL, 1795534914810, 1795534915151, 0, 0, 0, 0, 0, 0, 3, CAST('{"format":1,"id":"upload-20261124-154154-m76v","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914857,"statuses":[200],"outputs":[{"secret":true,"expires":1795538514846,"stale":1795538509846}]}},"loops":[{"counts":[0,0,0,0,0,0,3],"enumerated":true,"bytes_done":0}],"random":"17928405409493217452","key_seed":"r96qjr5yxjh2ypd1xrk9","clocks":{"@HOST@":[-856,139]},"request_seconds":0.01708,"began":1795534914810,"ended":1795534915151,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089495}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
