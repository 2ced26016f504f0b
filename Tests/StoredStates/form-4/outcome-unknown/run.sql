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
INSERT INTO history VALUES (1, 1795392415687, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392415736, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":42,"bytes":33,"outputs":[{"secret":true,"expires":1795396015694,"stale":1795396010694}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392415739, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392415752, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":11,"bytes":26,"outputs":[{"value":"up_6099c3b18fb2e6bfd249","expires":3235392415492,"stale":3235392410492}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392415754, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795392415752151641,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392415790, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":50,"bytes":26,"outputs":[{"value":"up_5b23f5a9756d74ad912d","expires":3235392415488,"stale":3235392410488}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392415795, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392415792151643,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392415810, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":52,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392415842, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (10, 1795392415848, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the answer was complete"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795392415855, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":5,"bytes":26,"outputs":[{"value":"up_d1df6b8a99d7ab4ac61f","expires":3235392415705,"stale":3235392410705}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795392415857, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795392415853660183,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795392415863, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":52}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795392415739},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392415790,"begun":1795392415739,"statuses":[201],"outputs":[{"value":"up_5b23f5a9756d74ad912d","expires":3235392415488,"stale":3235392410488}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795392415795,"begun":1795392415790,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392415792151643,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392415842,"begun":1795392415795,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"failures":1,"since":1795392415848,"begun":1795392415842,"not_before":1795392418848,"unknown_since":1795392415848,"failure":{"message":"@HOST@: the connection was lost before the answer was complete"},"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795392415848},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392415855,"begun":1795392415848,"statuses":[201],"outputs":[{"value":"up_d1df6b8a99d7ab4ac61f","expires":3235392415705,"stale":3235392410705}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795392415857,"begun":1795392415855,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795392415853660183,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"},"reserved":60},"upload":{"status":"running","generation":1,"attempt":1,"since":1795392415857,"begun":1795392415857,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-000655-ga4g', 'upload', 'running', NULL, 1795392415618, NULL, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"upload-20261123-000655-ga4g","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392415736,"begun":1795392415687,"statuses":[200],"outputs":[{"secret":true,"expires":1795396015694,"stale":1795396010694}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"7564270146940676557","key_seed":"b15t1acjzp8acc7j32a8","clocks":{"@HOST@":[-736,149]},"bytes_per_second":1039.464882943144,"request_seconds":0.0359296,"began":1795392415618,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
