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
INSERT INTO history VALUES (1, 1795534901346, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534901356, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795538501348,"stale":1795538496348}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534901357, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534901362, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":26,"outputs":[{"value":"up_9c19dd80178e4c8156e9","expires":3235534900721,"stale":3235534895721}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534901364, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534901363149268,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534901402, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"retry","failure":{"message":"step ''allocate'': POST returned 503","status":503},"uncertain":true}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534901410, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534901450, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_4356e12dbbc418a1356d","expires":3235534900811,"stale":3235534895811}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534901452, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795534901447856391,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534901462, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534901463, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534901357},"allocate":{"status":"pending","generation":1,"attempt":1,"failures":1,"since":1795534901402,"begun":1795534901357,"not_before":1795534904402,"failure":{"message":"step ''allocate'': POST returned 503","status":503},"statuses":[503],"sources":[1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534901402},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534901450,"begun":1795534901402,"statuses":[201],"outputs":[{"value":"up_4356e12dbbc418a1356d","expires":3235534900811,"stale":3235534895811}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534901452,"begun":1795534901450,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795534901447856391,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"},"reserved":60},"upload":{"status":"running","generation":1,"attempt":1,"since":1795534901452,"begun":1795534901452,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154141-8fv4', 'upload', 'running', NULL, 1795534901314, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"upload-20261124-154141-8fv4","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534901356,"begun":1795534901346,"statuses":[200],"outputs":[{"secret":true,"expires":1795538501348,"stale":1795538496348}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"8991069158842143909","key_seed":"a8z51sf12d7xrf06gj8v","clocks":{"@HOST@":[-356,587]},"bytes_per_second":1200.0,"request_seconds":0.021840000000000002,"began":1795534901314,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
