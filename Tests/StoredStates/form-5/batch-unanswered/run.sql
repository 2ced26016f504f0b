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
INSERT INTO history VALUES (1, 1795465754613, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465754645, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":29,"bytes":33,"outputs":[{"secret":true,"expires":1795469354616,"stale":1795469349616}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465754649, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465754662, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":11,"bytes":26,"outputs":[{"value":"up_24710d67e49d104d3a03","expires":3235465754312,"stale":3235465749312}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465754700, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_c485bf4a9fbace4be86f","expires":3235465754305,"stale":3235465749305}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465754711, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465754747, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465754763, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":51,"bytes":26,"outputs":[{"value":"up_5c0918d89abecb351ce2","expires":3235465754429,"stale":3235465749429}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465754812, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754700,"begun":1795465754649,"statuses":[201],"outputs":[{"value":"up_c485bf4a9fbace4be86f","expires":3235465754305,"stale":3235465749305}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754747,"begun":1795465754700,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795465754812,"begun":1795465754812,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795465754812}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754662,"begun":1795465754649,"statuses":[201],"outputs":[{"value":"up_24710d67e49d104d3a03","expires":3235465754312,"stale":3235465749312}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754711,"begun":1795465754662,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795465754812,"begun":1795465754812,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795465754812}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754763,"begun":1795465754711,"statuses":[201],"outputs":[{"value":"up_5c0918d89abecb351ce2","expires":3235465754429,"stale":3235465749429}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754812,"begun":1795465754763,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795465754812,"begun":1795465754812,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795465754812}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261123-202914-fi6m', 'batch', 'running', NULL, 1795465754575, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261123-202914-fi6m","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465754645,"begun":1795465754613,"statuses":[200],"outputs":[{"secret":true,"expires":1795469354616,"stale":1795469349616}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"15721376409593034328","key_seed":"m49nr22p13b0athdh8st","clocks":{"@HOST@":[-645,235]},"bytes_per_second":1165.183752417795,"request_seconds":0.034136,"began":1795465754575,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943791}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
