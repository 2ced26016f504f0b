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
INSERT INTO history VALUES (1, 1795534909782, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534909793, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795538509784,"stale":1795538504784}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534909794, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534909800, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":26,"outputs":[{"value":"up_e2a751ea7eeb14d79b59","expires":3235534909595,"stale":3235534904595}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534909842, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_db900e5a471d969e5573","expires":3235534909597,"stale":3235534904597}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534909846, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534909890, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534909894, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_0c6e7fed65560001d001","expires":3235534909699,"stale":3235534904699}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534909946, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":51,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909842,"begun":1795534909794,"statuses":[201],"outputs":[{"value":"up_db900e5a471d969e5573","expires":3235534909597,"stale":3235534904597}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909890,"begun":1795534909842,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795534909946,"begun":1795534909946,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795534909946}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909800,"begun":1795534909794,"statuses":[201],"outputs":[{"value":"up_e2a751ea7eeb14d79b59","expires":3235534909595,"stale":3235534904595}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909846,"begun":1795534909800,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795534909946,"begun":1795534909946,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795534909946}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909894,"begun":1795534909846,"statuses":[201],"outputs":[{"value":"up_0c6e7fed65560001d001","expires":3235534909699,"stale":3235534904699}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909946,"begun":1795534909894,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795534909946,"begun":1795534909946,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795534909946}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261124-154149-khaz', 'batch', 'running', NULL, 1795534909749, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261124-154149-khaz","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909793,"begun":1795534909782,"statuses":[200],"outputs":[{"secret":true,"expires":1795538509784,"stale":1795538504784}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"14457932558902802968","key_seed":"35rxfccfnccnw0rr6nm2","clocks":{"@HOST@":[-793,104]},"bytes_per_second":1170.2506393861893,"request_seconds":0.021551999999999998,"began":1795534909749,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
