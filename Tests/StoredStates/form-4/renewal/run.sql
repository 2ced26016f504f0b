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
INSERT INTO history VALUES (1, 1795392411130, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392411147, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":12,"bytes":33,"outputs":[{"secret":true,"expires":1795396011135,"stale":1795396006135}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392411148, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392411162, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":11,"bytes":26,"outputs":[{"value":"up_c2a9e4b3e1e5febb4547","expires":3235392410313,"stale":3235392405313}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392411165, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795392411160151429,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392411207, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":57,"bytes":26,"outputs":[{"value":"up_f7f9fd081f0743eb278d","expires":3235392410309,"stale":3235392405309}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392411209, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392411204151431,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392411215, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392411259, CAST('[{"event":"renewal_asked","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"renewal":"challenge"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795392411148},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392411207,"begun":1795392411148,"statuses":[201],"outputs":[{"value":"up_f7f9fd081f0743eb278d","expires":3235392410309,"stale":3235392405309}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795392411209,"begun":1795392411207,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392411204151431,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"running","generation":1,"attempt":1,"since":1795392411209,"begun":1795392411209,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795392411148},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392411162,"begun":1795392411148,"statuses":[201],"outputs":[{"value":"up_c2a9e4b3e1e5febb4547","expires":3235392410313,"stale":3235392405313}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795392411165,"begun":1795392411162,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795392411160151429,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392411215,"begun":1795392411165,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795392411215,"begun":1795392411215,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-000651-034w', 'upload', 'running', NULL, 1795392411063, NULL, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261123-000651-034w","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"running","generation":2,"attempt":1,"reissues":1,"unused_deaths":1,"since":1795392411259,"begun":1795392411259,"failure":{"message":"the server challenged what step ''sign_in'' made","status":401}}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"11473138703999335504","key_seed":"mshn81p2x00088krtk6y","clocks":{"@HOST@":[-147,832]},"bytes_per_second":1125.0,"request_seconds":0.02084,"began":1795392411063,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313199}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
