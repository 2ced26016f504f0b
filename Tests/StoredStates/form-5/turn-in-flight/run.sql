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
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO history VALUES (1, 1795465747240, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465747251, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":7,"bytes":33,"outputs":[{"secret":true,"expires":1795469347243,"stale":1795469342243}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465747255, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465747265, CAST('[{"event":"concluded","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465747307, CAST('[{"event":"concluded","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":48}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"sent":{"status":"succeeded","generation":2,"attempt":1,"since":1795465747307,"begun":1795465747255,"outputs":[{"value":1}],"turn":2,"farthest":1},"put":{"status":"running","generation":2,"attempt":1,"since":1795465747307,"begun":1795465747307,"sources":[1,2]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"sent":{"status":"succeeded","generation":2,"attempt":1,"since":1795465747265,"begun":1795465747255,"outputs":[{"value":1}],"turn":2,"farthest":1},"put":{"status":"running","generation":2,"attempt":1,"since":1795465747265,"begun":1795465747265,"sources":[1,2]}}}' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'turns-20261123-202907-45n1', 'turns', 'running', NULL, 1795465747187, NULL, 1, 2, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"turns-20261123-202907-45n1","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465747251,"begun":1795465747240,"statuses":[200],"outputs":[{"secret":true,"expires":1795469347243,"stale":1795469342243}]}},"loops":[{"counts":[1,2,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"17189833397407547536","key_seed":"cd3ykax6vvf0t36f5fha","clocks":{"@HOST@":[-250,739]},"bytes_per_second":8840.0,"request_seconds":0.007,"began":1795465747187,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
