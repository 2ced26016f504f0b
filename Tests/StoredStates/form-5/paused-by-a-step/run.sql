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
INSERT INTO history VALUES (1, 1795465758894, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465758899, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"fail","failure":{"message":"step ''sign_in'': POST returned 400, and no `on` entry matches","status":400}}]' AS BLOB));
INSERT INTO item VALUES (0, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (1, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 0, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-202918-o0yb', 'upload', 'paused', 'step ''sign_in'': step ''sign_in'': POST returned 400, and no `on` entry matches', 1795465758873, 1795465758899, 3, 0, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261123-202918-o0yb","status":"paused","reason":{"message":"step ''sign_in'': step ''sign_in'': POST returned 400, and no `on` entry matches","status":400},"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"pending","generation":1,"attempt":1,"since":1795465758899,"begun":1795465758894,"failure":{"message":"step ''sign_in'': POST returned 400, and no `on` entry matches","status":400}}},"loops":[{"counts":[3,0,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"11205139223251423714","key_seed":"1g6x6k3wfng08wp2293j","clocks":{},"began":1795465758873,"ended":1795465758899,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943790}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
