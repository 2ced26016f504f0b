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
INSERT INTO history VALUES (1, 1795465758521, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795465758530, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795469358522,"stale":1795469353522}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795465758531, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795465758537, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_3543fc044158821cb6d7","expires":3235465758070,"stale":3235465753070}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795465758539, CAST('[{"event":"concluded","loop":0,"item":0,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":48,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465758539006882,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"}}]' AS BLOB));
INSERT INTO history VALUES (6, 1795465758578, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_3880234a34d7b4be3100","expires":3235465758070,"stale":3235465753070}]}]' AS BLOB));
INSERT INTO history VALUES (7, 1795465758580, CAST('[{"event":"concluded","loop":0,"item":1,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":54,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465758580248077,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"}}]' AS BLOB));
INSERT INTO history VALUES (8, 1795465758586, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (9, 1795465758589, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO history VALUES (10, 1795465758593, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":3,"bytes":26,"outputs":[{"value":"up_4885dacb7b913c7ba9eb","expires":3235465758184,"stale":3235465753184}]}]' AS BLOB));
INSERT INTO history VALUES (11, 1795465758595, CAST('[{"event":"concluded","loop":0,"item":2,"step":"body","generation":1,"attempt":1,"verdict":"success","milliseconds":1,"bytes":60,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795465758592733384,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"}}]' AS BLOB));
INSERT INTO history VALUES (12, 1795465758621, CAST('[{"event":"pause_requested","failure":{"message":"paused by `pipeline pause`"}}]' AS BLOB));
INSERT INTO history VALUES (13, 1795465758621, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO history VALUES (14, 1795465758622, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"interrupted"}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465758531},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758537,"begun":1795465758531,"statuses":[201],"outputs":[{"value":"up_3543fc044158821cb6d7","expires":3235465758070,"stale":3235465753070}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758539,"begun":1795465758537,"file":{"path":"0/0-0-body","name":"a.txt","size":48,"modified":1795465758539006882,"type":"text/plain","sha256":"0fde3aeae2208d2f49a125f3c02b2c9c6efeeacb8f7cb5ee0054e089724fdc09"},"reserved":48},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758586,"begun":1795465758539,"statuses":[200],"sources":[1,1,1]},"finalize":{"status":"unknown","generation":1,"attempt":1,"failures":1,"since":1795465758589,"begun":1795465758586,"not_before":1795465761589,"unknown_since":1795465758589,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465758531},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758578,"begun":1795465758531,"statuses":[201],"outputs":[{"value":"up_3880234a34d7b4be3100","expires":3235465758070,"stale":3235465753070}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758580,"begun":1795465758578,"file":{"path":"1/0-1-body","name":"b.txt","size":54,"modified":1795465758580248077,"type":"text/plain","sha256":"8ebb2cfe4a5984d42f4d3fce2bec27de8c7c9e076fdb3a77bde4499ccdfe9312"},"reserved":54},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795465758621,"begun":1795465758580,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"look":{"status":"skipped","generation":0,"since":1795465758589},"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758593,"begun":1795465758589,"statuses":[201],"outputs":[{"value":"up_4885dacb7b913c7ba9eb","expires":3235465758184,"stale":3235465753184}],"sources":[1]},"body":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758595,"begun":1795465758593,"file":{"path":"2/0-2-body","name":"c.txt","size":60,"modified":1795465758592733384,"type":"text/plain","sha256":"3014fb4dd23c46fbbe830b4b20981b58a8277451ed381f03e759a60ab7994dfd"},"reserved":60},"upload":{"status":"pending","generation":1,"attempt":1,"since":1795465758622,"begun":1795465758595,"sources":[1,1,1]}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'upload-20261123-202918-djio', 'upload', 'paused', 'paused by `pipeline pause`', 1795465758497, 1795465758621, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"upload-20261123-202918-djio","status":"paused","reason":{"message":"paused by `pipeline pause`"},"inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795465758530,"begun":1795465758521,"statuses":[200],"outputs":[{"secret":true,"expires":1795469358522,"stale":1795469353522}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"7485619571930051151","key_seed":"crfypnc9yrpakxn6gbwc","clocks":{"@HOST@":[-530,409]},"bytes_per_second":1043.4782608695652,"request_seconds":0.012408,"began":1795465758497,"ended":1795465758621,"time":{"boot":"0ddec1d8-72b0-4da0-8675-e3ad23f5c844","origin":1795421943790}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
