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
CREATE TABLE digest (
  path TEXT NOT NULL,
  first INTEGER NOT NULL,
  length INTEGER NOT NULL,
  algorithm TEXT NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (path, first, length, algorithm)
) STRICT, WITHOUT ROWID;
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795579438747, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795579438767, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":17,"bytes":33,"outputs":[{"secret":true,"expires":1795583038750,"stale":1795583033750}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795579438769, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795579438788, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":15,"bytes":26,"outputs":[{"value":"up_b89a48546fae9914d79d","expires":3235579438558,"stale":3235579433558}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795579438825, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":52,"bytes":26,"outputs":[{"value":"up_18fdb1804430e30dc96f","expires":3235579438553,"stale":3235579433553}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795579438840, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795579438877, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795579438893, CAST('[{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49}]' AS BLOB));
INSERT INTO history VALUES (9, 1795579438924, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"poll","status":200,"after":1795579441924}]' AS BLOB));
INSERT INTO history VALUES (10, 1795579438950, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":54}]' AS BLOB));
INSERT INTO history VALUES (11, 1795579438977, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_a7508d110d66adf15e0c","expires":3235579438863,"stale":3235579433863}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795579439002, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795579438996785373,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795579439004, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795579438825,"begun":1795579438769,"statuses":[201],"outputs":[{"value":"up_18fdb1804430e30dc96f","expires":3235579438553,"stale":3235579433553}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795579438877,"begun":1795579438825,"statuses":[200],"sources":[1,1]},"arrival":{"status":"pending","generation":1,"attempt":1,"since":1795579438924,"begun":1795579438877,"not_before":1795579441924,"statuses":[200],"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795579438977,"begun":1795579438924,"statuses":[201],"outputs":[{"value":"up_a7508d110d66adf15e0c","expires":3235579438863,"stale":3235579433863}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795579438977,"begun":1795579438977,"sources":[1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261125-040358-iqw3', 'download', 'running', NULL, 1795579438693, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261125-040358-iqw3","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795579438767,"begun":1795579438747,"statuses":[200],"outputs":[{"secret":true,"expires":1795583038750,"stale":1795583033750}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":108}],"random":"18264080310805302949","key_seed":"mbvmd4trdgarxv7gh010","clocks":{"@HOST@":[-767,45]},"bytes_per_second":1081.6326530612246,"request_seconds":0.036436159999999995,"began":1795579438693,"time":{"boot":"3f070ef7-27a6-4e8a-90e3-b58083e2e37c","origin":1795570847856}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
