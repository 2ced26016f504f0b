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
INSERT INTO history VALUES (1, 1795534909349, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795534909359, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":8,"bytes":33,"outputs":[{"secret":true,"expires":1795538509351,"stale":1795538504351}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795534909360, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795534909366, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":4,"bytes":26,"outputs":[{"value":"up_4cdeb3de05100d31d6be","expires":3235534908728,"stale":3235534903728}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795534909407, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":45,"bytes":26,"outputs":[{"value":"up_38c1d457a5d070fd27e1","expires":3235534908726,"stale":3235534903726}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795534909415, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795534909463, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":46,"bytes":26,"outputs":[{"value":"up_a86f4a491e438cd983f8","expires":3235534908836,"stale":3235534903836}]}]' AS BLOB));
INSERT INTO history VALUES (8, 1795534909511, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":46,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909407,"begun":1795534909360,"statuses":[201],"outputs":[{"value":"up_38c1d457a5d070fd27e1","expires":3235534908726,"stale":3235534903726}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795534909407,"begun":1795534909407,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909366,"begun":1795534909360,"statuses":[201],"outputs":[{"value":"up_4cdeb3de05100d31d6be","expires":3235534908728,"stale":3235534903728}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909415,"begun":1795534909366,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795534909415}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909463,"begun":1795534909415,"statuses":[201],"outputs":[{"value":"up_a86f4a491e438cd983f8","expires":3235534908836,"stale":3235534903836}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909511,"begun":1795534909463,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795534909511}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261124-154149-8g1h', 'batch', 'running', NULL, 1795534909314, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261124-154149-8g1h","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795534909359,"begun":1795534909349,"statuses":[200],"outputs":[{"secret":true,"expires":1795538509351,"stale":1795538504351}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"11367733732645292652","key_seed":"wm63w4thza2t9ap42fss","clocks":{"@HOST@":[-359,534]},"bytes_per_second":1180.0185013876041,"request_seconds":0.021008,"began":1795534909314,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089495}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
