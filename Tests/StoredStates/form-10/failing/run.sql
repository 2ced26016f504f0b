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
INSERT INTO digest VALUES ('@FOLDER@/files/c.txt', 0, 60, 'sha256', 65024, 16278264, 60, 1767225600000000000, '3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd');
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
INSERT INTO history VALUES (1, 1795652569095, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795652569105, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795656169096,"stale":1795656164096}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795652569106, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795652569112, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_123b8865d2aa73622024","expires":3235652568220,"stale":3235652563220}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795652569115, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":54,"file":{"path":"pieces/1/0-1-body","name":"b.txt","size":54,"modified":1795652569112000000,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795652569156, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":49,"bytes":26,"outputs":[{"value":"up_1a4bb33888e6cde2dbe6","expires":3235652568218,"stale":3235652563218}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795652569158, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"pieces/0/0-0-body","name":"a.txt","size":48,"modified":1795652569156000000,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795652569160, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795652569204, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":48},{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43}]' AS BLOB));
INSERT INTO history VALUES (10, 1795652569248, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"fail","failure":{"message":"the server refuses the file","status":418,"response":{"body":"{}","bytes":2}},"uncertain":true}]' AS BLOB));
INSERT INTO history VALUES (11, 1795652569252, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_3cc64e92e3a1cc3f0ee4","expires":3235652568414,"stale":3235652563414}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795652569253, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"pieces/2/0-2-body","name":"c.txt","size":60,"modified":1795652569252000000,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795652569300, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (14, 1795652569344, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795652569106},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795652569156,"begun":1795652569106,"statuses":[201],"outputs":[{"value":"up_1a4bb33888e6cde2dbe6","expires":3235652568218,"stale":3235652563218}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795652569158,"begun":1795652569156,"file":{"path":"pieces/0/0-0-body","name":"a.txt","size":48,"modified":1795652569156000000,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795652569204,"begun":1795652569158,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"since":1795652569248,"begun":1795652569204,"unknown_since":1795652569248,"failure":{"message":"the server refuses the file","status":418,"response":{"body":"{}","bytes":2}},"sources":[1,1,1]}},"reason":{"message":"the server refuses the file","status":418,"response":{"body":"{}","bytes":2}},"abandoning":{"index":0,"attempt":1,"next":3,"begun":1795652569248,"since":1795652569248,"cause":{"message":"the server refuses the file","status":418,"response":{"body":"{}","bytes":2}}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261126-002249-20ce', 'upload', 'running', NULL, 1795652569086, NULL, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261126-002249-20ce","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795652569105,"begun":1795652569095,"statuses":[200],"outputs":[{"secret":true,"expires":1795656169096,"stale":1795656164096}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"16611504315173224097","key_seed":"vw0ezwgx12r2b2w9r9tv","clocks":{"@HOST@":[-105,698]},"bytes_per_second":1222.787878787879,"request_seconds":0.029758399999999997,"began":1795652569086,"time":{"boot":"c03f3a73-e425-414d-891f-437f88a82e6d","origin":1795630866804}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
