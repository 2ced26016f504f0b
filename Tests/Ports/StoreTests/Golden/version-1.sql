PRAGMA application_id = 1346981957;
CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  program TEXT NOT NULL
) STRICT;
CREATE TABLE owner (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL,
  requeued INTEGER NOT NULL
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
CREATE TABLE frame (
  id INTEGER PRIMARY KEY CHECK (id = 1),
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
CREATE TABLE part (
  item INTEGER NOT NULL,
  step TEXT NOT NULL,
  generation INTEGER NOT NULL,
  number INTEGER NOT NULL,
  collected BLOB NOT NULL,
  PRIMARY KEY (item, step, generation, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE target (
  hash INTEGER PRIMARY KEY,
  item INTEGER NOT NULL
) STRICT;
CREATE TABLE digest (
  path TEXT NOT NULL,
  first INTEGER NOT NULL,
  length INTEGER NOT NULL,
  algorithm TEXT NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (path, first, length, algorithm)
) STRICT, WITHOUT ROWID;
CREATE TABLE history (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  events BLOB NOT NULL
) STRICT;
CREATE INDEX history_launch ON history (sequence) WHERE instr(substr(events, 1, 256), CAST('"limits_known"' AS BLOB)) OR instr(substr(events, 1, 256), CAST('"run_resumed"' AS BLOB));
INSERT INTO frame VALUES (1, CAST('{"shard":"3/16","inputs":{"server":"https://example.org/ä\u0001\"\\"},"steps":{"sign_in":{"status":"unknown","generation":3,"attempt":4,"failures":2,"reissues":1,"unused_deaths":1,"dead":true,"foreign":true,"since":1773482401123,"begun":1773482402123,"not_before":1773482403123,"slower":15000,"unknown_since":1773482404123,"earliest":1773482405123,"challenges":1,"failure":{"message":"connection reset","status":502,"lacking":"network","milliseconds":2000},"statuses":[503,429,502],"outputs":[{"secret":true,"expires":1773482400123,"stale":1773482400123}],"previous":[{"secret":true,"sealed":"1.c2VhbGVk"}],"file":{"path":"files/0/7/body","name":"body","size":77,"modified":-1,"type":"text/plain","md5":"d41d8cd9","sha256":"e3b0c442"},"sources":[3,1],"moved_to":512,"reserved":4096,"turn":3,"over":true,"farthest":8192,"batch":{"first":1,"generation":3,"items":2,"failures":1,"begun":1773482402123,"open":true,"partial":true}}}}' AS BLOB));
INSERT INTO history VALUES (1, 1773482400123, CAST('[{"event":"run_began"},{"event":"items_loaded","loop":0,"ordinals":[1],"last":true}]' AS BLOB));
INSERT INTO history VALUES (2, 1773482400123, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":2,"attempt":3,"verdict":"success","status":201,"milliseconds":87,"bytes":12,"outputs":[{"value":"u-1","expires":1773482400123}]},{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":2,"attempt":3,"verdict":"retry","failure":{"message":"503","status":503},"after":1773482400123,"progressed":true}]' AS BLOB));
INSERT INTO history VALUES (3, 1773482400123, CAST('[{"event":"concluded","loop":0,"item":1,"step":"allocate","generation":2,"attempt":3,"verdict":"expired","failure":{"message":"401"},"expired":"sign_in"},{"event":"files_discarded","bytes":7}]' AS BLOB));
INSERT INTO item VALUES (0, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (1, 1, CAST('{"steps":{"allocate":{"status":"unknown","generation":3,"attempt":4,"failures":2,"reissues":1,"unused_deaths":1,"dead":true,"foreign":true,"since":1773482401123,"begun":1773482402123,"not_before":1773482403123,"slower":15000,"unknown_since":1773482404123,"earliest":1773482405123,"challenges":1,"failure":{"message":"connection reset","status":502,"lacking":"network","milliseconds":2000},"statuses":[503,429,502],"outputs":[{"value":"u-1","expires":1773482400123,"stale":1773482400123},{"value":null}],"previous":[{"secret":true,"sealed":"1.c2VhbGVk"}],"file":{"path":"files/0/7/body","name":"body","size":77,"modified":-1,"type":"text/plain","md5":"d41d8cd9","sha256":"e3b0c442"},"sources":[3,1],"moved_to":512,"reserved":4096,"turn":3,"over":true,"farthest":8192,"batch":{"first":1,"generation":3,"items":2,"failures":1,"begun":1773482402123,"open":true,"partial":true}},"body":{"status":"unknown","generation":3,"attempt":4,"failures":2,"reissues":1,"unused_deaths":1,"dead":true,"foreign":true,"since":1773482401123,"begun":1773482402123,"not_before":1773482403123,"slower":15000,"unknown_since":1773482404123,"earliest":1773482405123,"challenges":1,"failure":{"message":"connection reset","status":502,"lacking":"network","milliseconds":2000},"statuses":[503,429,502],"previous":[{"secret":true,"sealed":"1.c2VhbGVk"}],"file":{"path":"files/0/7/body","name":"body","size":77,"modified":-1,"type":"text/plain","md5":"d41d8cd9","sha256":"e3b0c442"},"sources":[3,1],"moved_to":512,"reserved":4096,"turn":3,"over":true,"farthest":8192,"batch":{"first":1,"generation":3,"items":2,"failures":1,"begun":1773482402123,"open":true,"partial":true}},"finalize":{"status":"unknown","generation":3,"attempt":4,"failures":2,"reissues":1,"unused_deaths":1,"dead":true,"foreign":true,"since":1773482401123,"begun":1773482402123,"not_before":1773482403123,"slower":15000,"unknown_since":1773482404123,"earliest":1773482405123,"challenges":1,"failure":{"message":"connection reset","status":502,"lacking":"network","milliseconds":2000},"statuses":[503,429,502],"outputs":[{"secret":true}],"previous":[{"secret":true,"sealed":"1.c2VhbGVk"}],"file":{"path":"files/0/7/body","name":"body","size":77,"modified":-1,"type":"text/plain","md5":"d41d8cd9","sha256":"e3b0c442"},"sources":[3,1],"moved_to":512,"reserved":4096,"turn":3,"over":true,"farthest":8192,"batch":{"first":1,"generation":3,"items":2,"failures":1,"begun":1773482402123,"open":true,"partial":true}},"parts":{"status":"unknown","generation":3,"attempt":4,"failures":2,"reissues":1,"unused_deaths":1,"dead":true,"foreign":true,"since":1773482401123,"begun":1773482402123,"not_before":1773482403123,"slower":15000,"unknown_since":1773482404123,"earliest":1773482405123,"challenges":1,"failure":{"message":"connection reset","status":502,"lacking":"network","milliseconds":2000},"statuses":[503,429,502],"previous":[{"secret":true,"sealed":"1.c2VhbGVk"}],"file":{"path":"files/0/7/body","name":"body","size":77,"modified":-1,"type":"text/plain","md5":"d41d8cd9","sha256":"e3b0c442"},"sources":[3,1],"moved_to":512,"reserved":4096,"turn":3,"over":true,"farthest":8192,"parts":{"count":3,"active":{"1":{"send":{"status":"unknown","generation":3,"attempt":4,"failures":2,"reissues":1,"unused_deaths":1,"dead":true,"foreign":true,"since":1773482401123,"begun":1773482402123,"not_before":1773482403123,"slower":15000,"unknown_since":1773482404123,"earliest":1773482405123,"challenges":1,"failure":{"message":"connection reset","status":502,"lacking":"network","milliseconds":2000},"statuses":[503,429,502],"outputs":[{"value":"e1"}],"previous":[{"secret":true,"sealed":"1.c2VhbGVk"}],"file":{"path":"files/0/7/body","name":"body","size":77,"modified":-1,"type":"text/plain","md5":"d41d8cd9","sha256":"e3b0c442"},"sources":[3,1],"moved_to":512,"reserved":4096,"turn":3,"over":true,"farthest":8192,"batch":{"first":1,"generation":3,"items":2,"failures":1,"begun":1773482402123,"open":true,"partial":true}}}}},"batch":{"first":1,"generation":3,"items":2,"failures":1,"begun":1773482402123,"open":true,"partial":true}}},"reason":{"message":"gone","status":404},"bytes_moved":600,"abandoning":{"index":0,"attempt":2,"next":6,"undone":true,"failures":2,"begun":1773482400123,"since":1773482401123,"not_before":1773482402123,"failure":{"message":"DELETE answered 503","status":503},"only":[0],"left":[0],"cause":{"message":"gave up"}},"refused_by":["host-1-a"],"remnants":[{"compensation":0,"steps":{"allocate":{"status":"succeeded","generation":2,"since":1773482400123,"outputs":[{"value":"u-0"},{"secret":true}]}}}]}' AS BLOB));
INSERT INTO item VALUES (2, 2, CAST('{"reason":{"message":"the server says 409","status":409}}' AS BLOB));
INSERT INTO item VALUES (4294967296, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (4294967297, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (4294967298, 0, CAST('' AS BLOB));
INSERT INTO item VALUES (4294967299, 0, CAST('' AS BLOB));
INSERT INTO meta VALUES (1, 1, '1.2.3');
INSERT INTO owner VALUES (1, 1, 0);
INSERT INTO part VALUES (1, 'parts', 3, 2, CAST('{"collected":[{"number":2,"etag":"\"é\u0000\""}]}' AS BLOB));
INSERT INTO run VALUES (1, 'photos-20260314-101502-k3f9', 'photos', 'paused', 'sign_in: the server says 503', 1773482400123, 1773482407123, 1, 1, 1, 0, 0, 0, 0, CAST('{"format":1,"id":"photos-20260314-101502-k3f9","status":"paused","reason":{"message":"sign_in: the server says 503","status":503},"loops":[{"counts":[1,1,1,0,0,0,0],"enumerated":true,"bytes_moved":1099511627776,"left":1},{"counts":[0,0,0,0,0,0,0],"enumerated":false,"requeued":true}],"random":"11400714819323198484","key_seed":"5eed0123456789abcdef","clocks":{"example.org":[-5,12]},"bytes_per_second":1234567.875,"request_seconds":0.25,"rates":{"init":[1773482450123,3],"requests_per_second":[1773482400123,0]},"pauses":{"https://example.org":[1773482409123,1773482410123,500]},"began":1773482400123,"ended":1773482407123,"time":{"boot":"5f0c1e52","origin":1773482340123}}' AS BLOB));
INSERT INTO subject VALUES (0, CAST('{"file":{"path":"/photos/été 📷/0.jpg","name":"0.jpg","size":0,"modified":1700000000000000000,"type":"image/jpeg"}}' AS BLOB));
INSERT INTO subject VALUES (1, CAST('{"file":{"path":"/photos/été 📷/1.jpg","name":"1.jpg","size":1000,"modified":1700000000000000001,"type":"image/jpeg"}}' AS BLOB));
INSERT INTO subject VALUES (2, CAST('{"file":{"path":"/photos/été 📷/2.jpg","name":"2.jpg","size":2000,"modified":1700000000000000002,"type":"image/jpeg"}}' AS BLOB));
INSERT INTO subject VALUES (4294967296, CAST('{"value":null}' AS BLOB));
INSERT INTO subject VALUES (4294967297, CAST('{"value":{"$double":"0.5"}}' AS BLOB));
INSERT INTO subject VALUES (4294967298, CAST('{"value":{"$bytes":[0,255]}}' AS BLOB));
INSERT INTO subject VALUES (4294967299, CAST('{"value":{"$map":["$uint",{"$uint":"18446744073709551615"},"at",{"$timestamp":[1773482400,123000000]}]}}' AS BLOB));
