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
INSERT INTO history VALUES (1, 1795392686075, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795392686129, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":43,"bytes":33,"outputs":[{"secret":true,"expires":1795396286086,"stale":1795396281086}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795392686131, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795392686143, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":10,"bytes":26,"outputs":[{"value":"up_a758ae0f30f38f1ba992","expires":3235392685275,"stale":3235392680275}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795392686145, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795392686140164176,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795392686186, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":53,"bytes":26,"outputs":[{"value":"up_eb5a9db464ebbc859b57","expires":3235392685273,"stale":3235392680273}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795392686190, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":0,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392686189727398,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795392686210, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":62,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (9, 1795392686242, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":51,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (10, 1795392686248, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the answer was complete"}}]' AS BLOB));
INSERT INTO history VALUES (11, 1795392686260, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":8,"bytes":26,"outputs":[{"value":"up_10edc42da56ce2450026","expires":3235392685510,"stale":3235392680510}]}]' AS BLOB));
INSERT INTO history VALUES (12, 1795392686266, CAST('[{"event":"concluded","loop":0,"item":1,"step":"finalize","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":48}]' AS BLOB));
INSERT INTO history VALUES (13, 1795392686267, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795392686264164182,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (14, 1795392686269, CAST('[{"event":"files_discarded","loop":0,"item":1,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (15, 1795392686275, CAST('[{"event":"pause_requested","failure":{"message":"paused by `pipeline pause`"}}]' AS BLOB));
INSERT INTO history VALUES (16, 1795392686276, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795392686131},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392686186,"begun":1795392686131,"statuses":[201],"outputs":[{"value":"up_eb5a9db464ebbc859b57","expires":3235392685273,"stale":3235392680273}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795392686190,"begun":1795392686186,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795392686189727398,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795392686242,"begun":1795392686190,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"failures":1,"since":1795392686248,"begun":1795392686242,"not_before":1795392689248,"unknown_since":1795392686248,"failure":{"message":"@HOST@: the connection was lost before the answer was complete"},"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 4, CAST('' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795392686248},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795392686260,"begun":1795392686248,"statuses":[201],"outputs":[{"value":"up_10edc42da56ce2450026","expires":3235392685510,"stale":3235392680510}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795392686267,"begun":1795392686260,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795392686264164182,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"},"reserved":60},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795392686276,"begun":1795392686267,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-001125-qrp3', 'upload', 'paused', 'paused by `pipeline pause`', 1795392686005, 1795392686275, 0, 2, 0, 0, 1, 0, 0, CAST('{"format":1,"id":"upload-20261123-001125-qrp3","status":"paused","reason":{"message":"paused by `pipeline pause`"},"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795392686129,"begun":1795392686075,"statuses":[200],"outputs":[{"secret":true,"expires":1795396286086,"stale":1795396281086}]}},"loops":[{"counts":[0,2,0,0,1,0,0],"enumerated":true,"bytes_done":54}],"random":"7356937145627412054","key_seed":"jhd86fxygkqtxxdq33by","clocks":{"@HOST@":[-129,748]},"bytes_per_second":885.0094876660341,"request_seconds":0.036300799999999994,"began":1795392686005,"ended":1795392686275,"time":{"boot":"0d4656f8-8ee7-48f1-bd4f-d652a0e5cba1","origin":1795377313198}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
