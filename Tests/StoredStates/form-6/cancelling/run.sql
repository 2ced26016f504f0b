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
INSERT INTO history VALUES (1, 1795516300259, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795516300277, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":11,"bytes":33,"outputs":[{"secret":true,"expires":1795519900266,"stale":1795519895266}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795516300278, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795516300301, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":21,"bytes":26,"outputs":[{"value":"up_db33b2ebb4d243dada6d","expires":3235516299581,"stale":3235516294581}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795516300303, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795516300299152324,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795516300332, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":52,"bytes":26,"outputs":[{"value":"up_cbd51fbc20cc4ab0aac6","expires":3235516299566,"stale":3235516294566}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795516300334, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795516300331152325,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795516300660, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795516300663, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795516300663, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795516300278},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516300332,"begun":1795516300278,"statuses":[201],"outputs":[{"value":"up_cbd51fbc20cc4ab0aac6","expires":3235516299566,"stale":3235516294566}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795516300334,"begun":1795516300332,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795516300331152325,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795516300663,"begun":1795516300334,"sources":[1,1,1]}},"abandoning":{"index":0,"attempt":1,"next":6,"begun":1795516300663,"since":1795516300663}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795516300278},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516300301,"begun":1795516300278,"statuses":[201],"outputs":[{"value":"up_db33b2ebb4d243dada6d","expires":3235516299581,"stale":3235516294581}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795516300303,"begun":1795516300301,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795516300299152324,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795516300663,"begun":1795516300303,"sources":[1,1,1]}},"abandoning":{"index":0,"attempt":1,"next":6,"begun":1795516300663,"since":1795516300663}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-103140-3t8q', 'upload', 'cancelling', NULL, 1795516300186, NULL, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261124-103140-3t8q","status":"cancelling","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795516300277,"statuses":[200],"outputs":[{"secret":true,"expires":1795519900266,"stale":1795519895266}]}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"15244678632944908808","key_seed":"jt87h0cn3evr7w3zpkrm","clocks":{"@HOST@":[-277,719]},"request_seconds":0.0208,"began":1795516300186,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
