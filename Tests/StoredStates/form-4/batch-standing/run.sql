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
INSERT INTO history VALUES (1, 1795393556429, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795393556450, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":16,"bytes":33,"outputs":[{"secret":true,"expires":1795397156433,"stale":1795397151433}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795393556455, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795393556476, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":9,"bytes":26,"outputs":[{"value":"up_70b3369789c37678621d","expires":3235393555942,"stale":3235393550942}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795393556514, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_c8d991e00f4da0cfbdb7","expires":3235393555938,"stale":3235393550938}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795393556526, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795393556586, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_b0bfe26ae3a9113ca68e","expires":3235393556081,"stale":3235393551081}]}]' AS BLOB));
INSERT INTO history VALUES (8, 1795393556634, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795393556514,"begun":1795393556455,"statuses":[201],"outputs":[{"value":"up_c8d991e00f4da0cfbdb7","expires":3235393555938,"stale":3235393550938}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795393556514,"begun":1795393556514,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795393556476,"begun":1795393556455,"statuses":[201],"outputs":[{"value":"up_70b3369789c37678621d","expires":3235393555942,"stale":3235393550942}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795393556526,"begun":1795393556476,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795393556526}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795393556586,"begun":1795393556526,"statuses":[201],"outputs":[{"value":"up_b0bfe26ae3a9113ca68e","expires":3235393556081,"stale":3235393551081}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795393556634,"begun":1795393556586,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795393556634}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-002556-8jh3', 'batch', 'running', NULL, 1795393556343, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-002556-8jh3","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795393556450,"begun":1795393556429,"statuses":[200],"outputs":[{"secret":true,"expires":1795397156433,"stale":1795397151433}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"12493422967267111727","key_seed":"q7rxccw1r5xn2y9v5rd5","clocks":{"@HOST@":[-449,411]},"bytes_per_second":1142.5022182786158,"request_seconds":0.026624000000000002,"began":1795393556343,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
