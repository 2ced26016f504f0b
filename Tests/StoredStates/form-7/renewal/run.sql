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
INSERT INTO history VALUES (1, 1795534903746, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534903759, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795538503749,"stale":1795538498749}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534903760, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534903772, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_e7baebafeb7b3c9477ae","expires":3235534903535,"stale":3235534898535}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534903774, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534903773911691,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534903810, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_c4cbebd35439c40b33db","expires":3235534903530,"stale":3235534898530}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534903812, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534903807856480,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534903823, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534903858, CAST('[{"event":"renewal_asked","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"renewal":"challenge"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534903760},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534903810,"begun":1795534903760,"statuses":[201],"outputs":[{"value":"up_c4cbebd35439c40b33db","expires":3235534903530,"stale":3235534898530}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534903812,"begun":1795534903810,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534903807856480,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"running","generation":1,"attempt":1,"since":1795534903812,"begun":1795534903812,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534903760},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534903772,"begun":1795534903760,"statuses":[201],"outputs":[{"value":"up_e7baebafeb7b3c9477ae","expires":3235534903535,"stale":3235534898535}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534903774,"begun":1795534903772,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534903773911691,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534903823,"begun":1795534903774,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795534903823,"begun":1795534903823,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154143-j92l', 'upload', 'running', NULL, 1795534903703, NULL, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261124-154143-j92l","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"running","generation":2,"attempt":1,"reissues":1,"unused_deaths":1,"since":1795534903858,"begun":1795534903858,"failure":{"message":"the server challenged what step ''sign_in'' made","status":401}}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"10206154590292921708","key_seed":"8m71rw8z9zv94z5jrxz6","clocks":{"@HOST@":[-759,224]},"bytes_per_second":1125.0,"request_seconds":0.01708,"began":1795534903703,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
