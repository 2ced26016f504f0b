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
INSERT INTO history VALUES (1, 1795534911789, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534911803, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":11,"bytes":33,"outputs":[{"secret":true,"expires":1795538511792,"stale":1795538506792}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534911804, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534911813, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_d176156cfe5711444b82","expires":3235534911619,"stale":3235534906619}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534911816, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534911815324502,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534911854, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_79b8783fbf089d5a7e02","expires":3235534911618,"stale":3235534906618}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534911857, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534911856223667,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534911988, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534911989, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534911990, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534911804},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911854,"begun":1795534911804,"statuses":[201],"outputs":[{"value":"up_79b8783fbf089d5a7e02","expires":3235534911618,"stale":3235534906618}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911857,"begun":1795534911854,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534911856223667,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795534911989,"begun":1795534911857,"sources":[1,1,1]}},"abandoning":{"index":0,"attempt":1,"next":6,"begun":1795534911990,"since":1795534911990}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534911804},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911813,"begun":1795534911804,"statuses":[201],"outputs":[{"value":"up_d176156cfe5711444b82","expires":3235534911619,"stale":3235534906619}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911816,"begun":1795534911813,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534911815324502,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795534911990,"begun":1795534911816,"sources":[1,1,1]}},"abandoning":{"index":0,"attempt":1,"next":6,"begun":1795534911990,"since":1795534911990}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154151-kg53', 'upload', 'cancelling', NULL, 1795534911748, NULL, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261124-154151-kg53","status":"cancelling","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911803,"statuses":[200],"outputs":[{"secret":true,"expires":1795538511792,"stale":1795538506792}]}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"17307790563874983794","key_seed":"m1fzag3bmxgwg67583fc","clocks":{"@HOST@":[-803,192]},"request_seconds":0.0174,"began":1795534911748,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
