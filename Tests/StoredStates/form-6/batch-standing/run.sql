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
INSERT INTO history VALUES (1, 1795516296391, CAST('[{"event":"limits_known","exchanges":9977,"network_timeout":300000},{"event":"run_began"}]' AS BLOB));
INSERT INTO history VALUES (2, 1795516296419, CAST('[{"event":"concluded","step":"sign_in","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":26,"bytes":33,"outputs":[{"secret":true,"expires":1795519896393,"stale":1795519891393}]}]' AS BLOB));
INSERT INTO history VALUES (3, 1795516296423, CAST('[{"event":"items_loaded","loop":0,"ordinals":[0,1,2],"last":true}]' AS BLOB));
INSERT INTO history VALUES (4, 1795516296443, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":12,"bytes":26,"outputs":[{"value":"up_28c318882ad976a1d2c8","expires":3235516295871,"stale":3235516290871}]}]' AS BLOB));
INSERT INTO history VALUES (5, 1795516296483, CAST('[{"event":"concluded","loop":0,"item":0,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":52,"bytes":26,"outputs":[{"value":"up_cb3a0759f981f015c1b0","expires":3235516295873,"stale":3235516290873}]}]' AS BLOB));
INSERT INTO history VALUES (6, 1795516296495, CAST('[{"event":"concluded","loop":0,"item":1,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":45,"bytes":54}]' AS BLOB));
INSERT INTO history VALUES (7, 1795516296543, CAST('[{"event":"concluded","loop":0,"item":2,"step":"allocate","generation":1,"attempt":1,"verdict":"success","status":201,"milliseconds":47,"bytes":26,"outputs":[{"value":"up_b1a005ac36af181a3394","expires":3235516295995,"stale":3235516290995}]}]' AS BLOB));
INSERT INTO history VALUES (8, 1795516296591, CAST('[{"event":"concluded","loop":0,"item":2,"step":"upload","generation":1,"attempt":1,"verdict":"success","status":200,"milliseconds":47,"bytes":60}]' AS BLOB));
INSERT INTO item VALUES (0, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516296483,"begun":1795516296423,"statuses":[201],"outputs":[{"value":"up_cb3a0759f981f015c1b0","expires":3235516295873,"stale":3235516290873}],"sources":[1]},"upload":{"status":"running","generation":1,"attempt":1,"since":1795516296483,"begun":1795516296483,"sources":[1,1]}}}' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516296443,"begun":1795516296423,"statuses":[201],"outputs":[{"value":"up_28c318882ad976a1d2c8","expires":3235516295871,"stale":3235516290871}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516296495,"begun":1795516296443,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795516296495}}}' AS BLOB));
INSERT INTO item VALUES (2, 1, CAST('{"steps":{"allocate":{"status":"succeeded","generation":1,"attempt":1,"since":1795516296543,"begun":1795516296495,"statuses":[201],"outputs":[{"value":"up_b1a005ac36af181a3394","expires":3235516295995,"stale":3235516290995}],"sources":[1]},"upload":{"status":"succeeded","generation":1,"attempt":1,"since":1795516296591,"begun":1795516296543,"statuses":[200],"sources":[1,1]},"finalize":{"status":"queued","generation":0,"since":1795516296591}}}' AS BLOB));
INSERT INTO owner VALUES (1, 1);
INSERT INTO run VALUES (1, 'batch-20261124-103136-89vb', 'batch', 'running', NULL, 1795516296346, NULL, 0, 3, 0, 0, 0, 0, 0, CAST('{"format":1,"id":"batch-20261124-103136-89vb","status":"running","inputs":{"server":"http://@HOST@"},"steps":{"sign_in":{"status":"succeeded","generation":1,"attempt":1,"since":1795516296419,"begun":1795516296391,"statuses":[200],"outputs":[{"secret":true,"expires":1795519896393,"stale":1795519891393}]}},"loops":[{"counts":[0,3,0,0,0,0,0],"enumerated":true,"bytes_done":0}],"random":"8962992639114053250","key_seed":"k96sddaz19c5jry7y51g","clocks":{"@HOST@":[-419,455]},"bytes_per_second":1215.3191489361702,"request_seconds":0.032568,"began":1795516296346,"time":{"boot":"a8e28489-ebb2-4e98-bafd-4d2f942a32dc","origin":1795508089495}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"@FOLDER@/files/a.txt","name":"a.txt","size":48,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"@FOLDER@/files/b.txt","name":"b.txt","size":54,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"@FOLDER@/files/c.txt","name":"c.txt","size":60,"modified":1767225600000000000,"type":"text/plain"}}' AS BLOB));
