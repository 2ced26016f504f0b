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
INSERT INTO history VALUES (1, 1795534907603, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534907616, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":10,"bytes":33,"outputs":[{"secret":true,"expires":1795538507606,"stale":1795538502606}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534907618, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534907626, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":26,"outputs":[{"value":"up_de7928623c65241893f7","expires":3235534907244,"stale":3235534902244}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534907628, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534907623856625,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534907667, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_50cf7f773b6b79c0001c","expires":3235534907242,"stale":3235534902242}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534907669, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795534907663856626,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534907679, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534907683, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534907689, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_e3d62b9300762dca17fc","expires":3235534907371,"stale":3235534902371}]}]' AS BLOB));
INSERT INTO history VALUES (11, 1795534907690, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795534907687083166,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795534907715, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (13, 1795534907739, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (14, 1795534907763, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46}]' AS BLOB));
INSERT INTO history VALUES (15, 1795534907764, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534907618},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907626,"begun":1795534907618,"statuses":[201],"outputs":[{"value":"up_de7928623c65241893f7","expires":3235534907244,"stale":3235534902244}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907628,"begun":1795534907626,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795534907623856625,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907679,"begun":1795534907628,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"failures":1,"since":1795534907683,"begun":1795534907679,"not_before":1795534910683,"unknown_since":1795534907683,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795534907683},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907689,"begun":1795534907683,"statuses":[201],"outputs":[{"value":"up_e3d62b9300762dca17fc","expires":3235534907371,"stale":3235534902371}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907690,"begun":1795534907689,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795534907687083166,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"},"reserved":60},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907739,"begun":1795534907690,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795534907739,"begun":1795534907739,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261124-154147-fihg', 'upload', 'running', NULL, 1795534907570, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"upload-20261124-154147-fihg","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534907616,"begun":1795534907603,"statuses":[200],"outputs":[{"secret":true,"expires":1795538507606,"stale":1795538502606}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"16254304126040739680","key_seed":"v13t2637wc8e1d9qx1ee","clocks":{"@HOST@":[-616,282]},"bytes_per_second":1060.7636363636364,"request_seconds":0.0207968,"began":1795534907570,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089495}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
