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
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO history VALUES (1, 1795465755614, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465755624, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":7,"bytes":33,"outputs":[{"secret":true,"expires":1795469355617,"stale":1795469350617}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465755625, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465755634, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":26,"outputs":[{"value":"up_d7c0cb9edc977b47d060","expires":3235465755260,"stale":3235465750260}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465755680, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":53,"bytes":26,"outputs":[{"value":"up_a0dab6e64a7694b409a7","expires":3235465755258,"stale":3235465750258}]},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465755727, CAST('[{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46},{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465755775, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465755777, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"poll","status":200,"after":1795465758776}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465755828, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":49,"bytes":26,"outputs":[{"value":"up_8c61a8eb43f5511d6a46","expires":3235465755563,"stale":3235465750563}]}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465755830, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":51,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795465755825851644,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465755831, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755680,"begun":1795465755625,"statuses":[201],"outputs":[{"value":"up_a0dab6e64a7694b409a7","expires":3235465755258,"stale":3235465750258}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755727,"begun":1795465755680,"statuses":[200],"sources":[1,1]},"arrival":{"status":"pending","generation":1,"attempt":1,"since":1795465755777,"begun":1795465755727,"not_before":1795465758776,"statuses":[200],"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755828,"begun":1795465755777,"statuses":[201],"outputs":[{"value":"up_8c61a8eb43f5511d6a46","expires":3235465755563,"stale":3235465750563}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795465755828,"begun":1795465755828,"sources":[1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261123-202915-g0ig', 'download', 'running', NULL, 1795465755585, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261123-202915-g0ig","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755624,"begun":1795465755614,"statuses":[200],"outputs":[{"secret":true,"expires":1795469355617,"stale":1795469350617}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"12142244135903199986","key_seed":"sszzh0cdkhvmkkgd7zvn","clocks":{"@HOST@":[-624,221]},"bytes_per_second":1168.695652173913,"request_seconds":0.0313424,"began":1795465755585,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
