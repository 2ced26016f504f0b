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
INSERT INTO history VALUES (1, 1795534911213, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534911224, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795538511215,"stale":1795538506215}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534911226, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534911233, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_0e57d90295156570c214","expires":3235534910459,"stale":3235534905459}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534911275, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_6ab677dde8a16f4c888b","expires":3235534910457,"stale":3235534905457}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534911283, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534911322, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534911330, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534911370, CAST('[{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534911378, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534911418, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (12, 1795534911467, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795534911463856770,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795534911469, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911233,"begun":1795534911226,"statuses":[201],"outputs":[{"value":"up_0e57d90295156570c214","expires":3235534910459,"stale":3235534905459}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911283,"begun":1795534911233,"statuses":[200],"sources":[1,1]},"arrival":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911330,"begun":1795534911283,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911378,"begun":1795534911330,"statuses":[200],"sources":[1,1,1]},"copy":{"status":"running","generation":1,"attempt":1,"since":1795534911378,"begun":1795534911378,"sources":[1,1,1],"reserved":1024}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"running","generation":1,"attempt":1,"since":1795534911467,"begun":1795534911467,"sources":[1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261124-154151-4j3o', 'download', 'running', NULL, 1795534911175, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261124-154151-4j3o","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534911224,"begun":1795534911213,"statuses":[200],"outputs":[{"secret":true,"expires":1795538511215,"stale":1795538506215}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"1766390312327047022","key_seed":"76ppvm1w38wsyen8znjb","clocks":{"@HOST@":[-224,579]},"bytes_per_second":1034.7826086956522,"request_seconds":0.033921151999999996,"began":1795534911175,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
