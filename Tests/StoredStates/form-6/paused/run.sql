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
INSERT INTO history VALUES (1, 1795516304160, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795516304175, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795519904166,"stale":1795519899166}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795516304176, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795516304186, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_1ff893788d86f1b35b8f","expires":3235516303365,"stale":3235516298365}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795516304191, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795516304189298543,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795516304226, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_7029dbbbe4f0dc2d99d2","expires":3235516303362,"stale":3235516298362}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795516304231, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795516304230065223,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795516304243, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795516304286, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":52,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (10, 1795516304292, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795516304294, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48}]' AS BLOB));
INSERT INTO history VALUES (12, 1795516304299, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (13, 1795516304302, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":9,"bytes":26,"outputs":[{"value":"up_5d7fbf12e1e0d42f52b8","expires":3235516303594,"stale":3235516298594}]}]' AS BLOB));
INSERT INTO history VALUES (14, 1795516304304, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795516304300991103,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (15, 1795516304354, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (16, 1795516304360, CAST('[{"event":"concluded","loop":0,"item":2,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":3}]' AS BLOB));
INSERT INTO history VALUES (17, 1795516304360, CAST('[{"event":"pause_requested","failure":{"message":"paused by `pipeline pause`"}}]' AS BLOB));
INSERT INTO history VALUES (18, 1795516304361, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795516304176},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516304226,"begun":1795516304176,"statuses":[201],"outputs":[{"value":"up_7029dbbbe4f0dc2d99d2","expires":3235516303362,"stale":3235516298362}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795516304231,"begun":1795516304226,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795516304230065223,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516304286,"begun":1795516304231,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"failures":1,"since":1795516304292,"begun":1795516304286,"not_before":1795516307292,"unknown_since":1795516304292,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-103144-1dc7', 'upload', 'paused', 'paused by `pipeline pause`', 1795516304093, 1795516304360, 0, 1, 0, 0, 2, 0, 0, CAST('{"format":1,"id":"upload-20261124-103144-1dc7","status":"paused","reason":{"message":"paused by `pipeline pause`"},"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795516304175,"begun":1795516304160,"statuses":[200],"outputs":[{"secret":true,"expires":1795519904166,"stale":1795519899166}]}},"loops":[{"counts":[0,1,0,0,2,0,0],"enumerated":true,"bytes_done":114}],"random":"15380673975559493930","key_seed":"pw484xn9gwvanmcdb24g","clocks":{"@HOST@":[-175,643]},"bytes_per_second":1108.3175790774576,"request_seconds":0.01643744,"began":1795516304093,"ended":1795516304360,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
