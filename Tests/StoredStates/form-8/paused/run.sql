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
INSERT INTO history VALUES (1, 1795539713750, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795539713768, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":13,"bytes":33,"outputs":[{"secret":true,"expires":1795543313755,"stale":1795543308755}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795539713770, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795539713783, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_ba6945ec967259318a3f","expires":3235539713556,"stale":3235539708556}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795539713786, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":2,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795539713780038541,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795539713826, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":52,"bytes":26,"outputs":[{"value":"up_5d94c9463abde91c0b1f","expires":3235539713554,"stale":3235539708554}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795539713828, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795539713824038543,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795539713850, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":61,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795539713883, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":53,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (10, 1795539713899, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795539713916, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":55}]' AS BLOB));
INSERT INTO history VALUES (12, 1795539713922, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":21,"bytes":26,"outputs":[{"value":"up_b66a5bcddff251708a42","expires":3235539713814,"stale":3235539708814}]}]' AS BLOB));
INSERT INTO history VALUES (13, 1795539713928, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (14, 1795539713929, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795539713927457467,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (15, 1795539713950, CAST('[{"event":"pause_requested","failure":{"message":"paused by `pipeline pause`"}}]' AS BLOB));
INSERT INTO history VALUES (16, 1795539713951, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795539713770},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713826,"begun":1795539713770,"statuses":[201],"outputs":[{"value":"up_5d94c9463abde91c0b1f","expires":3235539713554,"stale":3235539708554}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713828,"begun":1795539713826,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795539713824038543,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713883,"begun":1795539713828,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"failures":1,"since":1795539713899,"begun":1795539713883,"not_before":1795539716899,"unknown_since":1795539713899,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795539713899},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713922,"begun":1795539713899,"statuses":[201],"outputs":[{"value":"up_b66a5bcddff251708a42","expires":3235539713814,"stale":3235539708814}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713929,"begun":1795539713922,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795539713927457467,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"},"reserved":60},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795539713951,"begun":1795539713929,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-170153-hr5q', 'upload', 'paused', 'paused by `pipeline pause`', 1795539713686, 1795539713950, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"upload-20261124-170153-hr5q","status":"paused","reason":{"message":"paused by `pipeline pause`"},"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795539713768,"begun":1795539713750,"statuses":[200],"outputs":[{"secret":true,"expires":1795543313755,"stale":1795543308755}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"10144121512506769858","key_seed":"ajxvdz82kk38wvyjq66s","clocks":{"@HOST@":[-768,98]},"bytes_per_second":889.3287967831735,"request_seconds":0.025799999999999997,"began":1795539713686,"ended":1795539713950,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
