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
INSERT INTO grdb_migrations VALUES ('10');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795652565579, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795652565588, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":7,"bytes":33,"outputs":[{"secret":true,"expires":1795656165581,"stale":1795656160581}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795652565589, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795652565597, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_821b73d51148d6e6bb79","expires":3235652565188,"stale":3235652560188}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795652565635, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":44,"bytes":26,"outputs":[{"value":"up_cf45652e8424b2afbb63","expires":3235652565185,"stale":3235652560185}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795652565643, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795652565683, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795652565691, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_1a68ceee93c13d0496cb","expires":3235652565293,"stale":3235652560293}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795652565739, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565635,"begun":1795652565589,"statuses":[201],"outputs":[{"value":"up_cf45652e8424b2afbb63","expires":3235652565185,"stale":3235652560185}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565683,"begun":1795652565635,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795652565739,"begun":1795652565739,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795652565739}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565597,"begun":1795652565589,"statuses":[201],"outputs":[{"value":"up_821b73d51148d6e6bb79","expires":3235652565188,"stale":3235652560188}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565643,"begun":1795652565597,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795652565739,"begun":1795652565739,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795652565739}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565691,"begun":1795652565643,"statuses":[201],"outputs":[{"value":"up_1a68ceee93c13d0496cb","expires":3235652565293,"stale":3235652560293}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565739,"begun":1795652565691,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795652565739,"begun":1795652565739,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795652565739}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261126-002245-fk1j', 'batch', 'running', NULL, 1795652565572, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261126-002245-fk1j","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795652565588,"begun":1795652565579,"statuses":[200],"outputs":[{"secret":true,"expires":1795656165581,"stale":1795656160581}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"18322651146098089458","key_seed":"wz5z503xdbv3bpwt17mz","clocks":{"@HOST@":[-588,307]},"bytes_per_second":1204.1779497098646,"request_seconds":0.020791999999999998,"began":1795652565572,"time":{"boot":"c03f3a73-e425-414d-891f-437f88a82e6d","origin":1795630866803}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
