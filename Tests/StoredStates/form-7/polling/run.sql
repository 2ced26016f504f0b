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
INSERT INTO history VALUES (1, 1795534910651, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534910662, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795538510653,"stale":1795538505653}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534910664, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534910669, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_3e3538b9769daa7872a0","expires":3235534910334,"stale":3235534905334}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534910710, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_08bd45f981ec5e852d92","expires":3235534910333,"stale":3235534905333}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534910714, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534910758, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"poll","status":200,"after":1795534913758}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534910760, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534910806, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_1526e7d67590de304add","expires":3235534910523,"stale":3235534905523}]}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534910808, CAST('[{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534910854, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (12, 1795534910858, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (13, 1795534910902, CAST('[{"event":"concluded","loop":0,"item":2,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43}]' AS BLOB));
INSERT INTO history VALUES (14, 1795534910906, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795534910899856749,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (15, 1795534910907, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910669,"begun":1795534910664,"statuses":[201],"outputs":[{"value":"up_3e3538b9769daa7872a0","expires":3235534910334,"stale":3235534905334}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910714,"begun":1795534910669,"statuses":[200],"sources":[1,1]},"arrival":{"status":"pending","generation":1,"attempt":1,"since":1795534910758,"begun":1795534910714,"not_before":1795534913758,"statuses":[200],"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910806,"begun":1795534910758,"statuses":[201],"outputs":[{"value":"up_1526e7d67590de304add","expires":3235534910523,"stale":3235534905523}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910858,"begun":1795534910806,"statuses":[200],"sources":[1,1]},"arrival":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910902,"begun":1795534910858,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795534910902,"begun":1795534910902,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261124-154150-gwzl', 'download', 'running', NULL, 1795534910619, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261124-154150-gwzl","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910662,"begun":1795534910651,"statuses":[200],"outputs":[{"secret":true,"expires":1795538510653,"stale":1795538505653}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"3599825226666305592","key_seed":"ax90190sqtza6shcg7vt","clocks":{"@HOST@":[-662,140]},"bytes_per_second":1142.2446916076847,"request_seconds":0.03273824,"began":1795534910619,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
