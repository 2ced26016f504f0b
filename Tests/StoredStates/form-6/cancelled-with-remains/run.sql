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
INSERT INTO history VALUES (1, 1795516302280, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795516302294, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795519902283,"stale":1795519897283}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795516302295, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795516302306, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_ff537e6a3956af8b712b","expires":3235516301603,"stale":3235516296603}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795516302311, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":4,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795516302303152400,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795516302347, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_6bea333fc0970f5c1515","expires":3235516301602,"stale":3235516296602}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795516302349, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795516302343152401,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795516302580, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795516302581, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795516302582, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (11, 1795516302586, CAST('[{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400}},{"event":"not_undone","loop":0,"item":1,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795516302588, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"fail","failure":{"message":"DELETE returned 400","status":400}},{"event":"not_undone","loop":0,"item":0,"failure":{"message":"not undone at the server: DELETE returned 400"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795516302589, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (14, 1795516302589, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO item VALUES (0, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795516302295},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516302347,"begun":1795516302295,"statuses":[201],"outputs":[{"value":"up_6bea333fc0970f5c1515","expires":3235516301602,"stale":3235516296602}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795516302349,"begun":1795516302347},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795516302581,"begun":1795516302349,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (1, 3, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795516302295},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516302306,"begun":1795516302295,"statuses":[201],"outputs":[{"value":"up_ff537e6a3956af8b712b","expires":3235516301603,"stale":3235516296603}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795516302311,"begun":1795516302306},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795516302582,"begun":1795516302311,"sources":[1,1,1]}},"reason":{"message":"not undone at the server: DELETE returned 400"},"abandoning":{"index":0,"attempt":1,"next":6,"left":[0]}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-103142-4blv', 'upload', 'cancelled', NULL, 1795516302215, 1795516302588, 0, 0, 0, 2, 0, 0, 1, CAST('{"format":1,"id":"upload-20261124-103142-4blv","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795516302294,"statuses":[200],"outputs":[{"secret":true,"expires":1795519902283,"stale":1795519897283}]}},"loops":[{"counts":[0,0,0,2,0,0,1],"enumerated":true,"bytes_done":0,"left":2}],"random":"6985267101877739419","key_seed":"a21ghn4bdq2ahtapbpz9","clocks":{"@HOST@":[-293,700]},"request_seconds":0.01696,"began":1795516302215,"ended":1795516302588,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089495}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
