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
INSERT INTO history VALUES (1, 1795516297047, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795516297072, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":16,"bytes":33,"outputs":[{"secret":true,"expires":1795519897055,"stale":1795519892055}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795516297073, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795516297088, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":12,"bytes":26,"outputs":[{"value":"up_09180271ad181536482c","expires":3235516296163,"stale":3235516291163}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795516297123, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":48,"bytes":26,"outputs":[{"value":"up_5212c6e4f5703fd7c65e","expires":3235516296155,"stale":3235516291155}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795516297143, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":52,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795516297171, CAST('[{"event":"concluded","loop":0,"item":0,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":44,"bytes":48}]' AS BLOB));
INSERT INTO history VALUES (8, 1795516297203, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":56,"bytes":26,"outputs":[{"value":"up_a1681820a9488efda695","expires":3235516296298,"stale":3235516291298}]}]' AS BLOB));
INSERT INTO history VALUES (9, 1795516297263, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":56,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297123,"begun":1795516297073,"statuses":[201],"outputs":[{"value":"up_5212c6e4f5703fd7c65e","expires":3235516296155,"stale":3235516291155}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297171,"begun":1795516297123,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795516297263,"begun":1795516297263,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795516297263}}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297088,"begun":1795516297073,"statuses":[201],"outputs":[{"value":"up_09180271ad181536482c","expires":3235516296163,"stale":3235516291163}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297143,"begun":1795516297088,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795516297263,"begun":1795516297263,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795516297263}}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297203,"begun":1795516297143,"statuses":[201],"outputs":[{"value":"up_a1681820a9488efda695","expires":3235516296298,"stale":3235516291298}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297263,"begun":1795516297203,"statuses":[200],"sources":[1,1]},"finalize":{"status":"running","generation":1,"attempt":1,"since":1795516297263,"begun":1795516297263,"sources":[1,1,1],"batch":{"first":0,"generation":1,"items":3,"begun":1795516297263}}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261124-103136-q5ca', 'batch', 'running', NULL, 1795516296982, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261124-103136-q5ca","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795516297072,"begun":1795516297047,"statuses":[200],"outputs":[{"secret":true,"expires":1795519897055,"stale":1795519892055}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"13947588792992161922","key_seed":"wxkhazmxc9xjfbz5jsn4","clocks":{"@HOST@":[-71,792]},"bytes_per_second":1053.4465534465535,"request_seconds":0.028608,"began":1795516296982,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089495}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
