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
CREATE TABLE digest (
  path TEXT NOT NULL,
  first INTEGER NOT NULL,
  length INTEGER NOT NULL,
  algorithm TEXT NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (path, first, length, algorithm)
) STRICT, WITHOUT ROWID;
CREATE INDEX history_launch ON history (sequence) WHERE instr(substr(events, 1, 256), CAST('"limits_known"' AS BLOB)) OR instr(substr(events, 1, 256), CAST('"run_resumed"' AS BLOB));
CREATE TABLE frame (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state BLOB NOT NULL
) STRICT;
INSERT INTO frame VALUES (1, CAST('{"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795711480199,"begun":1795711480189,"statuses":[200],"outputs":[{"secret":true,"expires":1795715080190,"stale":1795715075190}]}}}' AS BLOB));
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('10');
INSERT INTO grdb_migrations VALUES ('11');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795711480189, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795711480199, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795715080190,"stale":1795715075190}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795711480199, CAST('[{"event":"items_enumerated","loop":0,"count":12}]' AS BLOB));
INSERT INTO history VALUES (4, 1795711480200, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2,3,4,5,6,7,8,9,10,11],"last":true}]' AS BLOB));
INSERT INTO history VALUES (5, 1795711480200, CAST('[{"event":"concluded","loop":0,"item":1,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/1/0-1-note","name":"body.txt","size":8,"modified":1795711480200000000,"type":"text/plain; charset=utf-8"}},{"event":"concluded","loop":0,"item":0,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/0/0-0-note","name":"body.txt","size":8,"modified":1795711480200000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795711480700, CAST('[{"event":"renewal_asked","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"renewal":"begin"},{"event":"renewal_asked","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (7, 1795711480710, CAST('[{"event":"concluded","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (8, 1795711480710, CAST('[{"event":"concluded","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (9, 1795711480711, CAST('[{"event":"concluded","loop":0,"item":2,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":8,"file":{"path":"pieces/2/0-2-note","name":"body.txt","size":8,"modified":1795711480710000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (10, 1795711480711, CAST('[{"event":"concluded","loop":0,"item":3,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/3/0-3-note","name":"body.txt","size":8,"modified":1795711480710000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795711481211, CAST('[{"event":"renewal_asked","loop":0,"item":3,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (12, 1795711481212, CAST('[{"event":"renewal_asked","loop":0,"item":2,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (13, 1795711481217, CAST('[{"event":"concluded","loop":0,"item":3,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (14, 1795711481217, CAST('[{"event":"concluded","loop":0,"item":4,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/4/0-4-note","name":"body.txt","size":8,"modified":1795711481217000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO item VALUES (0, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"note":{"status":"succeeded","generation":1,"attempt":1,"since":1795711480711,"begun":1795711480710,"file":{"path":"pieces/2/0-2-note","name":"body.txt","size":8,"modified":1795711480710000000,"type":"text/plain; charset=utf-8"}},"put":{"status":"running","generation":1,"attempt":1,"since":1795711480711,"begun":1795711480711,"earliest":1795711481211,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (3, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (4, 1, CAST('{"steps":{"note":{"status":"succeeded","generation":1,"attempt":1,"since":1795711481217,"begun":1795711481217,"file":{"path":"pieces/4/0-4-note","name":"body.txt","size":8,"modified":1795711481217000000,"type":"text/plain; charset=utf-8"}},"put":{"status":"running","generation":1,"attempt":1,"since":1795711481217,"begun":1795711481217,"earliest":1795711481717,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (5, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (6, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (7, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (8, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (9, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (10, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (11, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'list-20261126-164440-4kw3', 'list', 'running', NULL, 1795711480181, NULL, 7, 2, 0, 0, 3, 0, 0, CAST('{"format":1,"id":"list-20261126-164440-4kw3","status":"running","loops":[{"counts":[7,2,0,0,3,0,0],"enumerated":true,"bytes_done":0}],"random":"2911613400030581687","key_seed":"6ag9p70q86vkz725qawa","clocks":{"@HOST@":[-198,296]},"bytes_per_second":1291.4285714285713,"request_seconds":0.008,"began":1795711480181,"time":{"boot":"9c6f164c-7e71-42d4-a2a9-d2cdaaf29b02","origin":1795684468772}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"value":1}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"value":2}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"value":3}' AS BLOB));
INSERT INTO subject VALUES (3, CAST('{"value":4}' AS BLOB));
INSERT INTO subject VALUES (4, CAST('{"value":5}' AS BLOB));
INSERT INTO subject VALUES (5, CAST('{"value":6}' AS BLOB));
INSERT INTO subject VALUES (6, CAST('{"value":7}' AS BLOB));
INSERT INTO subject VALUES (7, CAST('{"value":8}' AS BLOB));
INSERT INTO subject VALUES (8, CAST('{"value":9}' AS BLOB));
INSERT INTO subject VALUES (9, CAST('{"value":10}' AS BLOB));
INSERT INTO subject VALUES (10, CAST('{"value":11}' AS BLOB));
INSERT INTO subject VALUES (11, CAST('{"value":12}' AS BLOB));
