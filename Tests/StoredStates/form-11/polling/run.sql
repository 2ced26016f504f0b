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
CREATE INDEX history_launch ON history (sequence) WHERE instr(substr(events, 1, 256), CAST('"limits_known"' AS BLOB)) OR instr(substr(events, 1, 256), CAST('"run_resumed"' AS BLOB));
CREATE TABLE frame (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state BLOB NOT NULL
) STRICT;
INSERT INTO frame VALUES (1, CAST('{"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795711482889,"begun":1795711482878,"statuses":[200],"outputs":[{"secret":true,"expires":1795715082881,"stale":1795715077881}]}}}' AS BLOB));
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('10');
INSERT INTO grdb_migrations VALUES ('11');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795711482878, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795711482889, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795715082881,"stale":1795715077881}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795711482890, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795711482894, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":26,"outputs":[{"value":"up_58dba14211147fe2be6d","expires":3235711482786,"stale":3235711477786}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795711482935, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":44,"bytes":26,"outputs":[{"value":"up_92f5a654586ccd0ef0a4","expires":3235711482785,"stale":3235711477785}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795711482939, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795711482983, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795711482987, CAST('[{"event":"concluded","loop":0,"item":1,"step":"arrival","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48}]' AS BLOB));
INSERT INTO history VALUES (9, 1795711483027, CAST('[{"event":"concluded","loop":0,"item":0,"step":"arrival","generation":1,"attempt":1,"verdict":"poll","status":200,"after":1795711486027}]' AS BLOB));
INSERT INTO history VALUES (10, 1795711483031, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43}]' AS BLOB));
INSERT INTO history VALUES (11, 1795711483071, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":43,"bytes":26,"outputs":[{"value":"up_a7a026f4bca5bfa4fba1","expires":3235711482059,"stale":3235711477059}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795711483076, CAST('[{"event":"concluded","loop":0,"item":1,"step":"copy","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":54,"file":{"path":"1/0-1-copy","name":"content","size":54,"modified":1795711483073808017,"type":"application/octet-stream","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795711483077, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795711482935,"begun":1795711482890,"statuses":[201],"outputs":[{"value":"up_92f5a654586ccd0ef0a4","expires":3235711482785,"stale":3235711477785}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795711482983,"begun":1795711482935,"statuses":[200],"sources":[1,1]},"arrival":{"status":"pending","generation":1,"attempt":1,"since":1795711483027,"begun":1795711482983,"not_before":1795711486027,"statuses":[200],"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795711483071,"begun":1795711483027,"statuses":[201],"outputs":[{"value":"up_a7a026f4bca5bfa4fba1","expires":3235711482059,"stale":3235711477059}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795711483071,"begun":1795711483071,"sources":[1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'download-20261126-164442-nwvu', 'download', 'running', NULL, 1795711482871, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"download-20261126-164442-nwvu","status":"running","loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":108}],"random":"2748299566449322356","key_seed":"xatf5973nsy08tycrct9","clocks":{"@HOST@":[-71,11]},"bytes_per_second":1186.073500967118,"request_seconds":0.028996799999999996,"began":1795711482871,"time":{"boot":"9c6f164c-7e71-42d4-a2a9-d2cdaaf29b02","origin":1795684468771}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
