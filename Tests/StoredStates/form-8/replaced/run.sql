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
INSERT INTO digest VALUES ('@FOLDER@/files/a.txt', 0, 48, 'sha256', 65024, 16384031, 48, 1767225600000000000, '0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09');
INSERT INTO digest VALUES ('@FOLDER@/files/b.txt', 0, 54, 'sha256', 65024, 16384044, 54, 1767225600000000000, '8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312');
INSERT INTO digest VALUES ('@FOLDER@/files/c.txt', 0, 60, 'sha256', 65024, 16384045, 60, 1767225600000000000, '3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd');
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO history VALUES (1, 1795539712838, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795539712856, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795543312846,"stale":1795543307846}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795539712859, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795539712868, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_856a7cc744e5c773a386","expires":3235539712726,"stale":3235539707726}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795539712873, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795539712868038507,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795539712914, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":54,"bytes":26,"outputs":[{"value":"up_bb0e5ee79974f2eb7cb2","expires":3235539712728,"stale":3235539707728}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795539712917, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795539712916833923,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795539712926, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795539712966, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"expired","failure":{"message":"step ''upload'': PUT returned 404","status":404},"expired":"allocate"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795539712974, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45}]' AS BLOB));
INSERT INTO history VALUES (11, 1795539712976, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (12, 1795539713014, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":2,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_e9df8c7a801219217952","expires":3235539712938,"stale":3235539707938}]}]' AS BLOB));
INSERT INTO history VALUES (13, 1795539713031, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":56,"bytes":26,"outputs":[{"value":"up_ad6b090f0810c3a0521f","expires":3235539712955,"stale":3235539707955}]}]' AS BLOB));
INSERT INTO history VALUES (14, 1795539713044, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795539713042792191,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (15, 1795539713071, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":2,"attempt":1,"verdict":"success","status":200,"milliseconds":55,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (16, 1795539713102, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":53,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (17, 1795539713130, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50}]' AS BLOB));
INSERT INTO history VALUES (18, 1795539713136, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (19, 1795539713158, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":55}]' AS BLOB));
INSERT INTO history VALUES (20, 1795539713159, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795539712859},"allocate":{"status":"succeeded","generation":2,"attempt":1,"reissues":1,"since":1795539713014,"begun":1795539712966,"statuses":[201],"outputs":[{"value":"up_e9df8c7a801219217952","expires":3235539712938,"stale":3235539707938}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795539712917,"begun":1795539712914},"upload":{"status":"succeeded","generation":2,"attempt":1,"since":1795539713071,"begun":1795539713014,"statuses":[200],"sources":[2,1,1]},"finalize":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713130,"begun":1795539713071,"statuses":[200],"sources":[2,1,2]}},"abandoning":{"index":1,"attempt":1,"next":4,"begun":1795539713130,"since":1795539713130},"remnants":[{"compensation":0,"steps":{"allocate":{"status":"succeeded","generation":1,"since":1795539712914,"outputs":[{"value":"up_bb0e5ee79974f2eb7cb2"}]}}}]}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-170152-jinc', 'upload', 'running', NULL, 1795539712754, NULL, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261124-170152-jinc","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795539712856,"begun":1795539712838,"statuses":[200],"outputs":[{"secret":true,"expires":1795543312846,"stale":1795543307846}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"7597947073102328929","key_seed":"p577k5rn9s9pbfbr4m99","clocks":{"@HOST@":[-71,24]},"bytes_per_second":1057.2514579759863,"request_seconds":0.040620326400000004,"began":1795539712754,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
