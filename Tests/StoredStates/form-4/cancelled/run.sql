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
INSERT INTO history VALUES (1, 1795392427717, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392427763, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":40,"bytes":33,"outputs":[{"secret":true,"expires":1795396027722,"stale":1795396022722}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392427764, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392427802, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":33,"bytes":26,"outputs":[{"value":"up_53966576dc64561c6496","expires":3235392427569,"stale":3235392422569}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392427808, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795392427806069954,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392427847, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":78,"bytes":26,"outputs":[{"value":"up_15a91f85d810eac1d999","expires":3235392427573,"stale":3235392422573}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392427849, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392427844152202,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392428022, CAST('[{"event":"cancel_requested"}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392428023, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"},{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (10, 1795392428040, CAST('[{"event":"concluded","loop":0,"item":1,"compensation":true,"attempt":1,"verdict":"success","status":204,"milliseconds":0}]' AS BLOB));
INSERT INTO history VALUES (11, 1795392428041, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (12, 1795392428042, CAST('[{"event":"concluded","loop":0,"item":0,"compensation":true,"attempt":1,"verdict":"success","status":204,"milliseconds":0}]' AS BLOB));
INSERT INTO history VALUES (13, 1795392428043, CAST('[{"event":"files_discarded","loop":0,"item":0,"bytes":48}]' AS BLOB));
INSERT INTO item VALUES (0, 6, CAST('{"steps":{"look":{"status":"pending","generation":0,"since":1795392427764},"allocate":{"status":"pending","generation":1,"since":1795392427847,"begun":1795392427764},"body":{"status":"pending","generation":1,"since":1795392427849,"begun":1795392427847},"upload":{"status":"pending","generation":1,"since":1795392428023,"begun":1795392427849}}}' AS BLOB));
INSERT INTO item VALUES (1, 6, CAST('{"steps":{"look":{"status":"pending","generation":0,"since":1795392427764},"allocate":{"status":"pending","generation":1,"since":1795392427802,"begun":1795392427764},"body":{"status":"pending","generation":1,"since":1795392427808,"begun":1795392427802},"upload":{"status":"pending","generation":1,"since":1795392428023,"begun":1795392427808}}}' AS BLOB));
INSERT INTO item VALUES (2, 6, CAST('' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-000707-had8', 'upload', 'cancelled', NULL, 1795392427656, 1795392428042, 0, 0, 0, 0, 0, 0, 3, CAST('{"format":1,"id":"upload-20261123-000707-had8","status":"cancelled","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392427763,"statuses":[200],"outputs":[{"secret":true,"expires":1795396027722,"stale":1795396022722}]}},"loops":[{"counts":[0,0,0,0,0,0,3],"enumerated":true,"bytes_done":0}],"random":"16392995876479934401","key_seed":"9pzkkv6r00vj2gbv4yqz","clocks":{"@HOST@":[-762,230]},"request_seconds":0.04648,"began":1795392427656,"ended":1795392428042,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
