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
INSERT INTO history VALUES (1, 1795534914065, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534914075, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795538514067,"stale":1795538509067}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534914076, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534914082, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_73f9917c21c54c271d0b","expires":3235534913160,"stale":3235534908160}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534914084, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534914081954046,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534914127, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_be99593cefe9c0b47772","expires":3235534913160,"stale":3235534908160}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534914128, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534914123856871,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534914135, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534914166, CAST('[{"event":"pause_requested","failure":{"message":"paused by `pipeline pause`"}}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534914167, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534914076},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914127,"begun":1795534914076,"statuses":[201],"outputs":[{"value":"up_be99593cefe9c0b47772","expires":3235534913160,"stale":3235534908160}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914128,"begun":1795534914127,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534914123856871,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795534914167,"begun":1795534914128,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534914076},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914082,"begun":1795534914076,"statuses":[201],"outputs":[{"value":"up_73f9917c21c54c271d0b","expires":3235534913160,"stale":3235534908160}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914084,"begun":1795534914082,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534914081954046,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914135,"begun":1795534914084,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"since":1795534914167,"begun":1795534914135,"unknown_since":1795534914167,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154154-0mjc', 'upload', 'paused', 'paused by `pipeline pause`', 1795534914033, 1795534914166, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261124-154154-0mjc","status":"paused","reason":{"message":"paused by `pipeline pause`"},"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534914075,"begun":1795534914065,"statuses":[200],"outputs":[{"secret":true,"expires":1795538514067,"stale":1795538509067}]}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"11096267749153152006","key_seed":"008gextw7fee8cmfdwd6","clocks":{"@HOST@":[-75,914]},"bytes_per_second":1080.0,"request_seconds":0.01536,"began":1795534914033,"ended":1795534914166,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
