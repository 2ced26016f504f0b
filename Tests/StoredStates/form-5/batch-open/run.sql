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
INSERT INTO history VALUES (1, 1795465755165, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465755176, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795469355167,"stale":1795469350167}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465755177, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465755185, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":26,"outputs":[{"value":"up_41715606719c87f12f82","expires":3235465754365,"stale":3235465749365}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465755226, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_cbbefac5b76c5faa4bb8","expires":3235465754362,"stale":3235465749362}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465755234, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465755274, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465755286, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":49,"bytes":26,"outputs":[{"value":"up_01f01d8dec067c6a17dc","expires":3235465754476,"stale":3235465749476}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465755338, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":49,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465755344, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755226,"begun":1795465755177,"statuses":[201],"outputs":[{"value":"up_cbbefac5b76c5faa4bb8","expires":3235465754362,"stale":3235465749362}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755274,"begun":1795465755226,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795465755344,"begun":1795465755338,"not_before":1795465758344,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795465755338,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755185,"begun":1795465755177,"statuses":[201],"outputs":[{"value":"up_41715606719c87f12f82","expires":3235465754365,"stale":3235465749365}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755234,"begun":1795465755185,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795465755344,"begun":1795465755338,"not_before":1795465758344,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795465755338,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755286,"begun":1795465755234,"statuses":[201],"outputs":[{"value":"up_01f01d8dec067c6a17dc","expires":3235465754476,"stale":3235465749476}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755338,"begun":1795465755286,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795465755344,"begun":1795465755338,"not_before":1795465758344,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795465755338,"open":true}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-202915-3eez', 'batch', 'running', NULL, 1795465755138, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-202915-3eez","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465755176,"begun":1795465755165,"statuses":[200],"outputs":[{"secret":true,"expires":1795469355167,"stale":1795469350167}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"13202061740787438245","key_seed":"btn8we823rar6vkzryn9","clocks":{"@HOST@":[-176,710]},"bytes_per_second":1143.6213634389926,"request_seconds":0.022567999999999998,"began":1795465755138,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943790}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
