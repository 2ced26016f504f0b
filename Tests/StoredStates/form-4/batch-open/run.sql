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
INSERT INTO history VALUES (1, 1795392419860, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392419877, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":12,"bytes":33,"outputs":[{"secret":true,"expires":1795396019865,"stale":1795396014865}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392419878, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392419893, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":11,"bytes":26,"outputs":[{"value":"up_061a51cd28196914f589","expires":3235392419775,"stale":3235392414775}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392419934, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":52,"bytes":26,"outputs":[{"value":"up_551cbd3b9c09cd294f4f","expires":3235392419769,"stale":3235392414769}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392419946, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392419982, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392419994, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_9abf44077f3dd9feb060","expires":3235392419899,"stale":3235392414899}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392420046, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (10, 1795392420053, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the answer was complete"}}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419934,"begun":1795392419878,"statuses":[201],"outputs":[{"value":"up_551cbd3b9c09cd294f4f","expires":3235392419769,"stale":3235392414769}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419982,"begun":1795392419934,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795392420053,"begun":1795392420046,"not_before":1795392423053,"failure":{"message":"@HOST@: the connection was lost before the answer was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795392420046,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419893,"begun":1795392419878,"statuses":[201],"outputs":[{"value":"up_061a51cd28196914f589","expires":3235392419775,"stale":3235392414775}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419946,"begun":1795392419893,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795392420053,"begun":1795392420046,"not_before":1795392423053,"failure":{"message":"@HOST@: the connection was lost before the answer was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795392420046,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419994,"begun":1795392419946,"statuses":[201],"outputs":[{"value":"up_9abf44077f3dd9feb060","expires":3235392419899,"stale":3235392414899}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392420046,"begun":1795392419994,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795392420053,"begun":1795392420046,"not_before":1795392423053,"failure":{"message":"@HOST@: the connection was lost before the answer was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795392420046,"open":true}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-000659-l1bw', 'batch', 'running', NULL, 1795392419796, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-000659-l1bw","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392419877,"begun":1795392419860,"statuses":[200],"outputs":[{"secret":true,"expires":1795396019865,"stale":1795396014865}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"2466970296996024776","key_seed":"b5q1xxypzs06091x2t3e","clocks":{"@HOST@":[-46,51]},"bytes_per_second":1157.594819611471,"request_seconds":0.025072,"began":1795392419796,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
