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
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO grdb_migrations VALUES ('4');
INSERT INTO grdb_migrations VALUES ('5');
INSERT INTO grdb_migrations VALUES ('6');
INSERT INTO grdb_migrations VALUES ('7');
INSERT INTO history VALUES (1, 1795534910220, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534910231, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":9,"bytes":33,"outputs":[{"secret":true,"expires":1795538510221,"stale":1795538505221}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534910232, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534910239, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":6,"bytes":26,"outputs":[{"value":"up_8686d392b837222b4adb","expires":3235534909472,"stale":3235534904472}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534910278, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_021b2afa8586c43e9567","expires":3235534909469,"stale":3235534904469}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534910286, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534910326, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534910334, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_c66c13777d1ec8c2ecf2","expires":3235534909580,"stale":3235534904580}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795534910386, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":50,"bytes":60}]' AS BLOB));
INSERT INTO history VALUES (10, 1795534910391, CAST('[{"event":"concluded","loop":0,"item":0,"step":"finalize","generation":1,"attempt":1,"verdict":"unknown","failure":{"message":"@HOST@: the connection was lost before the response was complete"}}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910278,"begun":1795534910232,"statuses":[201],"outputs":[{"value":"up_021b2afa8586c43e9567","expires":3235534909469,"stale":3235534904469}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910326,"begun":1795534910278,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795534910391,"begun":1795534910386,"not_before":1795534913391,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795534910386,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910239,"begun":1795534910232,"statuses":[201],"outputs":[{"value":"up_8686d392b837222b4adb","expires":3235534909472,"stale":3235534904472}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910286,"begun":1795534910239,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795534910391,"begun":1795534910386,"not_before":1795534913391,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795534910386,"open":true}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910334,"begun":1795534910286,"statuses":[201],"outputs":[{"value":"up_c66c13777d1ec8c2ecf2","expires":3235534909580,"stale":3235534904580}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910386,"begun":1795534910334,"statuses":[200],"sources":[1,1]},"finalize":{"status":"pending","generation":1,"attempt":1,"since":1795534910391,"begun":1795534910386,"not_before":1795534913391,"failure":{"message":"@HOST@: the connection was lost before the response was complete"},"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"failures":1,"begun":1795534910386,"open":true}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261124-154150-4v40', 'batch', 'running', NULL, 1795534910186, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261124-154150-4v40","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534910231,"begun":1795534910220,"statuses":[200],"outputs":[{"secret":true,"expires":1795538510221,"stale":1795538505221}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"324752589816747844","key_seed":"2pczjw173yfgavc1s3x8","clocks":{"@HOST@":[-230,663]},"bytes_per_second":1174.9565217391305,"request_seconds":0.021775999999999997,"began":1795534910186,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089494}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
