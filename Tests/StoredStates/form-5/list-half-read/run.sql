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
INSERT INTO history VALUES (1, 1795465752688, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465752702, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":11,"bytes":33,"outputs":[{"secret":true,"expires":1795469352691,"stale":1795469347691}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465752703, CAST('[{"event":"items_enumerated","loop":0,"count":12}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465752707, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2,3,4,5,6,7,8,9,10,11],"last":true}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465752711, CAST('[{"event":"concluded","loop":0,"item":0,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"0/0-0-note","name":"body.txt","size":8,"modified":1795465752708733426,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465752715, CAST('[{"event":"concluded","loop":0,"item":1,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":8,"file":{"path":"1/0-1-note","name":"body.txt","size":8,"modified":1795465752710833767,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465753211, CAST('[{"event":"renewal_asked","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465753215, CAST('[{"event":"renewal_asked","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465753221, CAST('[{"event":"concluded","loop":0,"item":0,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":9,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465753223, CAST('[{"event":"concluded","loop":0,"item":1,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465753224, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (12, 1795465753224, CAST('[{"event":"concluded","loop":0,"item":2,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":8,"file":{"path":"2/0-2-note","name":"body.txt","size":8,"modified":1795465753220733422,"type":"text/plain; charset=utf-8"}},{"event":"files_discarded","loop":0,"item":1,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (13, 1795465753225, CAST('[{"event":"concluded","loop":0,"item":3,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":8,"file":{"path":"3/0-3-note","name":"body.txt","size":8,"modified":1795465753223423346,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO history VALUES (14, 1795465753724, CAST('[{"event":"renewal_asked","loop":0,"item":2,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (15, 1795465753725, CAST('[{"event":"renewal_asked","loop":0,"item":3,"step":"put","generation":1,"attempt":1,"renewal":"begin"}]' AS BLOB));
INSERT INTO history VALUES (16, 1795465753731, CAST('[{"event":"concluded","loop":0,"item":2,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (17, 1795465753735, CAST('[{"event":"concluded","loop":0,"item":3,"step":"put","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":8}]' AS BLOB));
INSERT INTO history VALUES (18, 1795465753737, CAST('[{"event":"files_discarded","loop":0,"item":2,"bytes":8},{"event":"concluded","loop":0,"item":4,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":8,"file":{"path":"4/0-4-note","name":"body.txt","size":8,"modified":1795465753733450078,"type":"text/plain; charset=utf-8"}},{"event":"files_discarded","loop":0,"item":3,"bytes":8},{"event":"concluded","loop":0,"item":5,"step":"note","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":8,"file":{"path":"5/0-5-note","name":"body.txt","size":8,"modified":1795465753735983132,"type":"text/plain; charset=utf-8"}}]' AS BLOB));
INSERT INTO item VALUES (0, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (3, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (4, 1, CAST('{"steps":{"note":{"status":"succeeded","generation":1,"attempt":1,"since":1795465753737,"begun":1795465753731,"file":{"path":"4/0-4-note","name":"body.txt","size":8,"modified":1795465753733450078,"type":"text/plain; charset=utf-8"},"reserved":8},"put":{"status":"running","generation":1,"attempt":1,"since":1795465753737,"begun":1795465753737,"earliest":1795465754237,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (5, 1, CAST('{"steps":{"note":{"status":"succeeded","generation":1,"attempt":1,"since":1795465753737,"begun":1795465753735,"file":{"path":"5/0-5-note","name":"body.txt","size":8,"modified":1795465753735983132,"type":"text/plain; charset=utf-8"},"reserved":8},"put":{"status":"running","generation":1,"attempt":1,"since":1795465753737,"begun":1795465753737,"earliest":1795465754237,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (6, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (7, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (8, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (9, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (10, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (11, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'list-20261123-202912-g5jo', 'list', 'running', NULL, 1795465752628, NULL, 6, 2, 0, 0, 4, 0, 0, CAST('{"format":1,"id":"list-20261123-202912-g5jo","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465752702,"begun":1795465752688,"statuses":[200],"outputs":[{"secret":true,"expires":1795469352691,"stale":1795469347691}]}},"loops":[{"counts":[6,2,0,0,4,0,0],"enumerated":true,"bytes_done":0}],"random":"870921763470076763","key_seed":"r7hrst2nfzv98f0gky2j","clocks":{"@HOST@":[-221,268]},"bytes_per_second":1415.111111111111,"request_seconds":0.011,"began":1795465752628,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
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
