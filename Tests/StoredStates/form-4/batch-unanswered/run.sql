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
INSERT INTO history VALUES (1, 1795392419066, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392419087, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":16,"bytes":33,"outputs":[{"secret":true,"expires":1795396019070,"stale":1795396014070}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392419088, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392419099, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":9,"bytes":26,"outputs":[{"value":"up_3d097a352e5389f1aa0b","expires":3235392418187,"stale":3235392413187}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392419135, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_a5db79b2b3bd628555e5","expires":3235392418183,"stale":3235392413183}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392419147, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392419183, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392419195, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_a33cc76775f430e16e50","expires":3235392418301,"stale":3235392413301}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392419244, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419135,"begun":1795392419088,"statuses":[201],"outputs":[{"value":"up_a5db79b2b3bd628555e5","expires":3235392418183,"stale":3235392413183}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419183,"begun":1795392419135,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795392419244,"begun":1795392419244,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795392419244}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419099,"begun":1795392419088,"statuses":[201],"outputs":[{"value":"up_3d097a352e5389f1aa0b","expires":3235392418187,"stale":3235392413187}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419147,"begun":1795392419099,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795392419244,"begun":1795392419244,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795392419244}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419195,"begun":1795392419147,"statuses":[201],"outputs":[{"value":"up_a33cc76775f430e16e50","expires":3235392418301,"stale":3235392413301}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419244,"begun":1795392419195,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795392419244,"begun":1795392419244,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795392419244}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-000658-qzhm', 'batch', 'running', NULL, 1795392419005, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-000658-qzhm","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419087,"begun":1795392419066,"statuses":[200],"outputs":[{"secret":true,"expires":1795396019070,"stale":1795396014070}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"4002160343644991227","key_seed":"hkefb2mcdnfseyyk29nm","clocks":{"@HOST@":[-86,803]},"bytes_per_second":1164.7086031452359,"request_seconds":0.025904,"began":1795392419005,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313199}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
