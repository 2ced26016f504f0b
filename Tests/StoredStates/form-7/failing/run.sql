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
INSERT INTO history VALUES (1, 1795534913527, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534913540, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":11,"bytes":33,"outputs":[{"secret":true,"expires":1795538513529,"stale":1795538508529}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534913542, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534913548, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_21a0f2dc8e819abc4799","expires":3235534913091,"stale":3235534908091}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534913550, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534913548721878,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534913591, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_0ff66528e06797241efd","expires":3235534913090,"stale":3235534908090}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534913593, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534913587856851,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534913598, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534913642, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":48},{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534913645, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534913691, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"fail","failure":{"message":"the server refuses the file","status":418},"uncertain":true}]' AS BLOB));
INSERT INTO history VALUES (12, 1795534913692, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_6fc313bc985ac82cf585","expires":3235534913293,"stale":3235534908293}]}]' AS BLOB));
INSERT INTO history VALUES (13, 1795534913694, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795534913693315777,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (14, 1795534913738, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (15, 1795534913786, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47}]' AS BLOB));
INSERT INTO history VALUES (16, 1795534913787, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534913542},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534913591,"begun":1795534913542,"statuses":[201],"outputs":[{"value":"up_0ff66528e06797241efd","expires":3235534913090,"stale":3235534908090}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534913593,"begun":1795534913591,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534913587856851,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534913642,"begun":1795534913593,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"since":1795534913691,"begun":1795534913642,"unknown_since":1795534913691,"failure":{"message":"the server refuses the file","status":418},"sources":[1,1,1]}},"reason":{"message":"the server refuses the file","status":418},"abandoning":{"index":0,"attempt":1,"next":3,"begun":1795534913691,"since":1795534913691,"cause":{"message":"the server refuses the file","status":418}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154153-d99y', 'upload', 'running', NULL, 1795534913490, NULL, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261124-154153-d99y","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534913540,"begun":1795534913527,"statuses":[200],"outputs":[{"secret":true,"expires":1795538513529,"stale":1795538508529}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"14053953462528583454","key_seed":"sx0m3q07rxx5knwda992","clocks":{"@HOST@":[-540,260]},"bytes_per_second":1174.388916378031,"request_seconds":0.03095136,"began":1795534913490,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
