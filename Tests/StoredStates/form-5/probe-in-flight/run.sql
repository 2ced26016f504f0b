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
INSERT INTO history VALUES (1, 1795465748322, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465748333, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795469348323,"stale":1795469343323}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465748334, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465748341, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":26,"outputs":[{"value":"up_62f387b69501668f822e","expires":3235465747675,"stale":3235465742675}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465748343, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465748340733456,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465748379, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":44,"bytes":26,"outputs":[{"value":"up_2029f49e9a902f8a702c","expires":3235465747673,"stale":3235465742673}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465748381, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465748376733456,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465748391, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465748427, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465748431, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465748436, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":26,"outputs":[{"value":"up_0a6f0797f0823a25e4a5","expires":3235465747868,"stale":3235465742868}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795465748437, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795465748432733456,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795465748440, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48}]' AS BLOB));
INSERT INTO history VALUES (14, 1795465748441, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (15, 1795465748488, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (16, 1795465748492, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":3}]' AS BLOB));
INSERT INTO history VALUES (17, 1795465748492, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (18, 1795465751431, CAST('[{"event":"timer_fired"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465748334},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465748379,"begun":1795465748334,"statuses":[201],"outputs":[{"value":"up_2029f49e9a902f8a702c","expires":3235465747673,"stale":3235465742673}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465748381,"begun":1795465748379,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465748376733456,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465748427,"begun":1795465748381,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"probing","generation":1,"attempt":2,"failures":1,"since":1795465751431,"begun":1795465748427,"unknown_since":1795465748431,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-202908-6581', 'upload', 'running', NULL, 1795465748255, NULL, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261123-202908-6581","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465748333,"begun":1795465748322,"statuses":[200],"outputs":[{"secret":true,"expires":1795469348323,"stale":1795469343323}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"3191960316937324914","key_seed":"t08nvpwr882twxrczhj8","clocks":{"@HOST@":[-332,510]},"bytes_per_second":1150.8837747865105,"request_seconds":0.01652832,"began":1795465748255,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
