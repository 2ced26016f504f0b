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
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('10');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO grdb_migrations VALUES ('8');
INSERT INTO grdb_migrations VALUES ('9');
INSERT INTO history VALUES (1, 1795652563792, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000,"sends_pieces":true},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795652563801, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795656163793,"stale":1795656158793}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795652563802, CAST('[{"event":"items_enumerated","loop":0,"count":12}]' AS BLOB));
INSERT INTO history VALUES (4, 1795652563802, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2,3,4,5,6,7,8,9,10,11],"last":true}]' AS BLOB));
INSERT INTO history VALUES (5, 1795652563803, CAST('[{"event":"concluded","loop":0,"item":0,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/0/0-0-note","name":"body.txt","size":8,"modified":1795652563802000000,"type":"text/plain; charset=utf-8"}},{"event":"concluded","loop":0,"item":1,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/1/0-1-note","name":"body.txt","size":8,"modified":1795652563802000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795652564303, CAST('[{"event":"renewal_asked","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (7, 1795652564305, CAST('[{"event":"renewal_asked","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (8, 1795652564310, CAST('[{"event":"concluded","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (9, 1795652564313, CAST('[{"event":"concluded","loop":0,"item":2,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/2/0-2-note","name":"body.txt","size":8,"modified":1795652564310000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (10, 1795652564314, CAST('[{"event":"concluded","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":7,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (11, 1795652564315, CAST('[{"event":"concluded","loop":0,"item":3,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/3/0-3-note","name":"body.txt","size":8,"modified":1795652564314000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795652564813, CAST('[{"event":"renewal_asked","loop":0,"item":2,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (13, 1795652564815, CAST('[{"event":"renewal_asked","loop":0,"item":3,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (14, 1795652564819, CAST('[{"event":"concluded","loop":0,"item":2,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":8},{"event":"concluded","loop":0,"item":3,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (15, 1795652564821, CAST('[{"event":"concluded","loop":0,"item":4,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/4/0-4-note","name":"body.txt","size":8,"modified":1795652564819000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (16, 1795652564822, CAST('[{"event":"concluded","loop":0,"item":5,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"pieces/5/0-5-note","name":"body.txt","size":8,"modified":1795652564819000000,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO item VALUES (0, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (3, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (4, 1, CAST('{"steps":{"note":{"status":"succeeded","generation":1,"attempt":1,"since":1795652564821,"begun":1795652564819,"file":{"path":"pieces/4/0-4-note","name":"body.txt","size":8,"modified":1795652564819000000,"type":"text/plain; charset=utf-8"}},"put":{"status":"running","generation":1,"attempt":1,"since":1795652564821,"begun":1795652564821,"earliest":1795652565321,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (5, 1, CAST('{"steps":{"note":{"status":"succeeded","generation":1,"attempt":1,"since":1795652564822,"begun":1795652564819,"file":{"path":"pieces/5/0-5-note","name":"body.txt","size":8,"modified":1795652564819000000,"type":"text/plain; charset=utf-8"}},"put":{"status":"running","generation":1,"attempt":1,"since":1795652564822,"begun":1795652564822,"earliest":1795652565322,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (6, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (7, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (8, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (9, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (10, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (11, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'list-20261126-002243-lg1m', 'list', 'running', NULL, 1795652563785, NULL, 6, 2, 0, 0, 4, 0, 0, CAST('{"format":1,"id":"list-20261126-002243-lg1m","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795652563801,"begun":1795652563792,"statuses":[200],"outputs":[{"secret":true,"expires":1795656163793,"stale":1795656158793}]}},"loops":[{"counts":[6,2,0,0,4,0,0],"enumerated":true,"bytes_done":0}],"random":"11407123683812850519","key_seed":"dhb6jsxnxw2s807nws58","clocks":{"@HOST@":[-310,184]},"bytes_per_second":1890.2857142857142,"request_seconds":0.008,"began":1795652563785,"time":{"boot":"c03f3a73-e425-414d-891f-437f88a82e6d","origin":1795630866803}}' AS BLOB));
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
