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
INSERT INTO history VALUES (1, 1795534904162, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534904173, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795538504163,"stale":1795538499163}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534904175, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534904181, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_63b05629160b92204501","expires":3235534903358,"stale":3235534898358}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534904183, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534904180322631,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534904226, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":49,"bytes":26,"outputs":[{"value":"up_a93c5411106f212cc12b","expires":3235534903358,"stale":3235534898358}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534904228, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534904223856496,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534904230, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534904274, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534904278, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534904280, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795534904280, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (13, 1795534904326, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_b0d1a1bc7c43c8259a9a","expires":3235534903562,"stale":3235534898562}]}]' AS BLOB));
INSERT INTO history VALUES (14, 1795534904328, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795534904323856500,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (15, 1795534904378, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (16, 1795534904426, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (17, 1795534904427, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (18, 1795534907280, CAST('[{"event":"timer_fired"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534904175},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534904226,"begun":1795534904175,"statuses":[201],"outputs":[{"value":"up_a93c5411106f212cc12b","expires":3235534903358,"stale":3235534898358}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534904228,"begun":1795534904226,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534904223856496,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534904274,"begun":1795534904228,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"probing","generation":1,"attempt":2,"failures":1,"since":1795534907280,"begun":1795534904274,"unknown_since":1795534904280,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154144-3bxg', 'upload', 'running', NULL, 1795534904129, NULL, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261124-154144-3bxg","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534904173,"begun":1795534904162,"statuses":[200],"outputs":[{"secret":true,"expires":1795538504163,"stale":1795538499163}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"9238607582758550049","key_seed":"361sksnvcd3awcsfsse5","clocks":{"@HOST@":[-172,619]},"bytes_per_second":1166.8689736764272,"request_seconds":0.0308704,"began":1795534904129,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
