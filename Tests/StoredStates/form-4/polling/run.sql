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
INSERT INTO history VALUES (1, 1795392420640, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392420657, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795396020646,"stale":1795396015646}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392420658, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392420667, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":26,"outputs":[{"value":"up_b4915ffe0e8795c1d927","expires":3235392420327,"stale":3235392415327}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392420706, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_3f3f55d37469f6610256","expires":3235392420323,"stale":3235392415323}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392420714, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392420754, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392420766, CAST('[{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":51}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392420798, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"poll","status":200,"after":1795392423798}]' AS BLOB));
INSERT INTO history VALUES (10, 1795392420814, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (11, 1795392420846, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_28bc8d752280cda68e5e","expires":3235392420603,"stale":3235392415603}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795392420863, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795392420860151878,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795392420864, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392420706,"begun":1795392420658,"statuses":[201],"outputs":[{"value":"up_3f3f55d37469f6610256","expires":3235392420323,"stale":3235392415323}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392420754,"begun":1795392420706,"statuses":[200],"sources":[1,1]},"arrival":{"status":"pending","generation":1,"attempt":1,"since":1795392420798,"begun":1795392420754,"not_before":1795392423798,"statuses":[200],"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392420846,"begun":1795392420798,"statuses":[201],"outputs":[{"value":"up_28bc8d752280cda68e5e","expires":3235392420603,"stale":3235392415603}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795392420846,"begun":1795392420846,"sources":[1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261123-000700-elfk', 'download', 'running', NULL, 1795392420561, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261123-000700-elfk","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392420657,"begun":1795392420640,"statuses":[200],"outputs":[{"secret":true,"expires":1795396020646,"stale":1795396015646}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"2761483209511538061","key_seed":"13czq0eg444ph31y13hz","clocks":{"@HOST@":[-656,183]},"bytes_per_second":1200.0,"request_seconds":0.03175104,"began":1795392420561,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
