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
INSERT INTO history VALUES (1, 1795465754060, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465754089, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":27,"bytes":33,"outputs":[{"secret":true,"expires":1795469354062,"stale":1795469349062}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465754090, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465754100, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_ab2162199193a2278107","expires":3235465753194,"stale":3235465748194}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465754138, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":44,"bytes":26,"outputs":[{"value":"up_703c9723dc4140fc8f3b","expires":3235465753191,"stale":3235465748191}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465754150, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465754203, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":51,"bytes":26,"outputs":[{"value":"up_1b2561b5d58a0ad644e4","expires":3235465753311,"stale":3235465748311}]}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465754251, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754138,"begun":1795465754090,"statuses":[201],"outputs":[{"value":"up_703c9723dc4140fc8f3b","expires":3235465753191,"stale":3235465748191}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795465754138,"begun":1795465754138,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754100,"begun":1795465754090,"statuses":[201],"outputs":[{"value":"up_ab2162199193a2278107","expires":3235465753194,"stale":3235465748194}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754150,"begun":1795465754100,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795465754150}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754203,"begun":1795465754150,"statuses":[201],"outputs":[{"value":"up_1b2561b5d58a0ad644e4","expires":3235465753311,"stale":3235465748311}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754251,"begun":1795465754203,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795465754251}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-202914-01mq', 'batch', 'running', NULL, 1795465754027, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-202914-01mq","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754089,"begun":1795465754060,"statuses":[200],"outputs":[{"secret":true,"expires":1795469354062,"stale":1795469349062}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"4513829125356876655","key_seed":"a8pj7hn72jcxkhzbxp58","clocks":{"@HOST@":[-89,794]},"bytes_per_second":1148.299319727891,"request_seconds":0.031832,"began":1795465754027,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943790}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
