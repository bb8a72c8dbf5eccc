PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    edition INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    config TEXT NOT NULL,           -- JSON
    created TEXT NOT NULL,          -- UTC
    last_run TEXT NOT NULL,         -- UTC
    run_order INTEGER NOT NULL,     -- the one run last has the largest
    stop INTEGER, seed TEXT NOT NULL DEFAULT '0', ended TEXT, complete INTEGER NOT NULL DEFAULT 0, row_hash BLOB NOT NULL DEFAULT x'',                   -- matches from this number on are not counted
    UNIQUE (name, edition)
);
INSERT INTO tournament VALUES(1,'plain',1,'7eff8754076c401d9eac7a101a01a6b3ac44d3e4327283d9953e74061d2896b0','{"bots": {"ash": {"args": [], "clock": {}, "env": {}, "memory": null, "program": "sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3"}, "dead": {"args": ["dead"], "clock": {}, "env": {}, "memory": null, "program": "sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3"}, "elm": {"args": [], "clock": {}, "env": {}, "memory": null, "program": "sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3"}}, "clock": {"first": "10000 ms", "inc": "0 ms", "main": "no limit", "margin": "50 ms", "move": "10000 ms", "start": "10000 ms"}, "format": "round-robin", "games": {"leaves": "rules 1"}, "max_decisions": null, "max_faults": 1, "memory": "1GiB", "on_timeout": "forfeit", "opening": {"plies": 2, "setups": null}, "pin": true, "ponder": false, "processes": "fresh", "rounds": 2, "sandbox": "auto", "seed": "3", "stop": {"matches": null}}','2026-11-22T12:05:08Z','2026-11-22T12:05:08Z',2,NULL,'3','2026-11-22T12:05:08Z',12,X'fa468a7a814abf2c');
CREATE TABLE entrant (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament,
    name TEXT NOT NULL,
    bot TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    args TEXT NOT NULL,             -- JSON
    position INTEGER NOT NULL,      -- in the file
    state TEXT NOT NULL DEFAULT '', out INTEGER NOT NULL DEFAULT 0, file_out INTEGER NOT NULL DEFAULT 0, row_hash BLOB NOT NULL DEFAULT x'', line TEXT NOT NULL DEFAULT '', -- why it no longer plays
    UNIQUE (tournament, name)
);
INSERT INTO entrant VALUES(1,1,'ash','ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','[]',0,'',0,0,X'4c3dd060364c228e','');
INSERT INTO entrant VALUES(2,1,'elm','ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','[]',1,'',0,0,X'da636cf1b860b41d','');
INSERT INTO entrant VALUES(3,1,'dead','ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','["dead"]',2,'a startup fault, in match 83482166c72d8826',0,0,X'08b8a67258e136a6','');
CREATE TABLE match (
    tournament INTEGER NOT NULL REFERENCES tournament,
    number INTEGER NOT NULL,        -- in the schedule
    record INTEGER NOT NULL,        -- record.seq
    game TEXT NOT NULL,
    block TEXT NOT NULL,
    seating INTEGER NOT NULL,
    by TEXT NOT NULL,
    entrants TEXT NOT NULL,         -- entrant.id of each seat
    ranks TEXT NOT NULL,
    faults TEXT NOT NULL,           -- seat:code of each fault
    answers TEXT NOT NULL,          -- decisions answered
    charged_us TEXT NOT NULL,       -- time charged for them
    play INTEGER NOT NULL, result_hash BLOB NOT NULL DEFAULT x'', row_hash BLOB NOT NULL DEFAULT x'',          -- a hash of what was played: equal for duplicates
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
INSERT INTO "match" VALUES(1,0,1,'leaves','leaves|dead+elm|0',0,'startup','3,2','2,1','0:startup','0,0','0,0',6856292564112316509,X'6265450952c5484b',X'0889e4b8f6cfb452');
INSERT INTO "match" VALUES(1,1,2,'leaves','leaves|dead+elm|0',1,'startup','2,3','1,2','1:startup','0,0','0,0',-8551129752147000357,X'0e122e918e9601be',X'229d31febb9f52c7');
INSERT INTO "match" VALUES(1,2,3,'leaves','leaves|ash+elm|0',0,'rules','1,2','2,1','','5,4','269,500',-8898894207193988105,X'116d1254eaf18240',X'0dc41b1d3cc97f38');
INSERT INTO "match" VALUES(1,3,4,'leaves','leaves|ash+elm|0',1,'rules','2,1','2,1','','5,4','371,299',-6531670162833665806,X'84debcd4880769ba',X'73613ec782693875');
INSERT INTO "match" VALUES(1,8,5,'leaves','leaves|ash+elm|1',0,'rules','1,2','1,2','','5,4','2028,282',2779567476528193945,X'2c291a18688b27bd',X'304c7ddee4e5475c');
INSERT INTO "match" VALUES(1,9,6,'leaves','leaves|ash+elm|1',1,'rules','2,1','1,2','','5,4','391,285',-8908277318297045786,X'e1558273c1c6e7bc',X'2e88f26164db59a6');
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,        -- in order of arrival
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL              -- JSON
, row_hash BLOB NOT NULL DEFAULT x'');
INSERT INTO record VALUES(1,1,0,'83482166c72d8826','{"format":1,"id":"83482166c72d8826","tournament":"plain","block":"leaves|dead+elm|0","seating":0,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"draw":2,"players":[{"bot":"dead","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":["dead"],"seed":"163059738752820981","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]},{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"2346396574101644110","sent":"sha256:5d931ff1251ec242e72024abe7de7837f559198bc3f177bb7b9ae9749f9108da","want":["legal"]}],"actions":[[0,null]],"decisions":[{"ms":0.000,"cpu_ms":null,"charged_ms":0.000,"late":false}],"scores":null,"ranks":[2,1],"by":"startup","faults":[{"player":0,"code":"startup","decision":0,"detail":"it exited with status 1 before it said ready","stderr":"I do not start"}],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-22T12:05:08.220Z","elapsed_ms":74}',X'215bda0143e1749b');
INSERT INTO record VALUES(2,1,1,'566fdf723e2eaf04','{"format":1,"id":"566fdf723e2eaf04","tournament":"plain","block":"leaves|dead+elm|0","seating":1,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"draw":2,"players":[{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"8956457915996185034","sent":"sha256:5d931ff1251ec242e72024abe7de7837f559198bc3f177bb7b9ae9749f9108da","want":["legal"]},{"bot":"dead","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":["dead"],"seed":"9178059176237656725","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]}],"actions":[[1,null]],"decisions":[{"ms":0.000,"cpu_ms":null,"charged_ms":0.000,"late":false}],"scores":null,"ranks":[1,2],"by":"startup","faults":[{"player":1,"code":"startup","decision":0,"detail":"it exited with status 1 before it said ready","stderr":"I do not start"}],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-22T12:05:08.300Z","elapsed_ms":52}',X'd12ad99f41fea885');
INSERT INTO record VALUES(3,1,2,'9a9cca077a6eafc7','{"format":1,"id":"9a9cca077a6eafc7","tournament":"plain","block":"leaves|ash+elm|0","seating":0,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"draw":2,"players":[{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"2338564153269817461","sent":"sha256:039761b1db8c096051594eaaca3bfde5811654d7ec2456f3f5b47dcad607339f","want":["legal"]},{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"4550423472897486560","sent":"sha256:eff16efee83a7003d9addead8235cc753d02dbef2df20622156ccab04f3c68b2","want":["legal"]}],"actions":[[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1"]],"decisions":[{"ms":0.124,"cpu_ms":0.066,"charged_ms":0.124,"late":false},{"ms":0.153,"cpu_ms":0.060,"charged_ms":0.153,"late":false},{"ms":0.042,"cpu_ms":0.036,"charged_ms":0.042,"late":false},{"ms":0.090,"cpu_ms":0.038,"charged_ms":0.090,"late":false},{"ms":0.036,"cpu_ms":0.032,"charged_ms":0.036,"late":false},{"ms":0.130,"cpu_ms":0.049,"charged_ms":0.130,"late":false},{"ms":0.002,"cpu_ms":0.039,"charged_ms":0.039,"late":false},{"ms":0.127,"cpu_ms":0.046,"charged_ms":0.127,"late":false},{"ms":0.002,"cpu_ms":0.028,"charged_ms":0.028,"late":false}],"scores":[2,3],"ranks":[2,1],"by":"rules","faults":[],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-22T12:05:08.361Z","elapsed_ms":42}',X'6c269d58488b210e');
INSERT INTO record VALUES(4,1,3,'f8daa5f4b6e5f040','{"format":1,"id":"f8daa5f4b6e5f040","tournament":"plain","block":"leaves|ash+elm|0","seating":1,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"draw":2,"players":[{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"7781709030331646629","sent":"sha256:039761b1db8c096051594eaaca3bfde5811654d7ec2456f3f5b47dcad607339f","want":["legal"]},{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"8680506574424275890","sent":"sha256:eff16efee83a7003d9addead8235cc753d02dbef2df20622156ccab04f3c68b2","want":["legal"]}],"actions":[[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1"]],"decisions":[{"ms":0.132,"cpu_ms":0.092,"charged_ms":0.132,"late":false},{"ms":0.112,"cpu_ms":0.082,"charged_ms":0.112,"late":false},{"ms":0.064,"cpu_ms":0.035,"charged_ms":0.064,"late":false},{"ms":0.060,"cpu_ms":0.033,"charged_ms":0.060,"late":false},{"ms":0.062,"cpu_ms":0.036,"charged_ms":0.062,"late":false},{"ms":0.062,"cpu_ms":0.036,"charged_ms":0.062,"late":false},{"ms":0.063,"cpu_ms":0.035,"charged_ms":0.063,"late":false},{"ms":0.064,"cpu_ms":0.038,"charged_ms":0.064,"late":false},{"ms":0.051,"cpu_ms":0.024,"charged_ms":0.051,"late":false}],"scores":[2,3],"ranks":[2,1],"by":"rules","faults":[],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-22T12:05:08.412Z","elapsed_ms":60}',X'c50d25877ec40733');
INSERT INTO record VALUES(5,1,8,'ade7d8b6a934abcc','{"format":1,"id":"ade7d8b6a934abcc","tournament":"plain","block":"leaves|ash+elm|1","seating":0,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"W1"],[1,"N2-2"]],"seed":"17974459580006204919","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"draw":2,"players":[{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"4654931953492947379","sent":"sha256:89b48c74d98b5cced4e05bead1443d61623cbe58522e9de43bac261c82003121","want":["legal"]},{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"182638702517814482","sent":"sha256:2c08bffd873cee875ee577bb0ca66052be48792856f96358ea85f5a2e09f9dc5","want":["legal"]}],"actions":[[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1"]],"decisions":[{"ms":0.136,"cpu_ms":0.085,"charged_ms":0.136,"late":false},{"ms":0.095,"cpu_ms":0.065,"charged_ms":0.095,"late":false},{"ms":0.060,"cpu_ms":0.032,"charged_ms":0.060,"late":false},{"ms":0.037,"cpu_ms":0.033,"charged_ms":0.037,"late":false},{"ms":0.775,"cpu_ms":0.030,"charged_ms":0.775,"late":false},{"ms":0.093,"cpu_ms":0.062,"charged_ms":0.093,"late":false},{"ms":0.086,"cpu_ms":0.059,"charged_ms":0.086,"late":false},{"ms":0.057,"cpu_ms":0.031,"charged_ms":0.057,"late":false},{"ms":0.971,"cpu_ms":0.024,"charged_ms":0.971,"late":false}],"scores":[3,1],"ranks":[1,2],"by":"rules","faults":[],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-22T12:05:08.484Z","elapsed_ms":69}',X'1f6782e1c28086ac');
INSERT INTO record VALUES(6,1,9,'29cb2bcbb035d020','{"format":1,"id":"29cb2bcbb035d020","tournament":"plain","block":"leaves|ash+elm|1","seating":1,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"W1"],[1,"N2-2"]],"seed":"17974459580006204919","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"draw":2,"players":[{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"1701566391487601742","sent":"sha256:89b48c74d98b5cced4e05bead1443d61623cbe58522e9de43bac261c82003121","want":["legal"]},{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"6037427215402348466","sent":"sha256:2c08bffd873cee875ee577bb0ca66052be48792856f96358ea85f5a2e09f9dc5","want":["legal"]}],"actions":[[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1"]],"decisions":[{"ms":0.146,"cpu_ms":0.129,"charged_ms":0.146,"late":false},{"ms":3.222,"cpu_ms":0.099,"charged_ms":0.099,"late":false},{"ms":0.096,"cpu_ms":0.066,"charged_ms":0.096,"late":false},{"ms":0.081,"cpu_ms":0.048,"charged_ms":0.081,"late":false},{"ms":0.063,"cpu_ms":0.031,"charged_ms":0.063,"late":false},{"ms":0.065,"cpu_ms":0.034,"charged_ms":0.065,"late":false},{"ms":0.062,"cpu_ms":0.035,"charged_ms":0.062,"late":false},{"ms":0.002,"cpu_ms":0.039,"charged_ms":0.039,"late":false},{"ms":0.002,"cpu_ms":0.024,"charged_ms":0.024,"late":false}],"scores":[3,1],"ranks":[1,2],"by":"rules","faults":[],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-22T12:05:08.568Z","elapsed_ms":83}',X'4e625d8cc9326de6');
CREATE TABLE void (
    seq INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    attempt INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL, row_hash BLOB NOT NULL DEFAULT x'',               -- UTC
    UNIQUE (tournament, id, attempt)
);
CREATE TABLE undecided (
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    number INTEGER NOT NULL,
    reason TEXT NOT NULL, row_hash BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (tournament, id)
) WITHOUT ROWID;
CREATE TABLE bot (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    start TEXT NOT NULL,            -- JSON
    folder TEXT NOT NULL,
    language TEXT NOT NULL,
    games TEXT NOT NULL,            -- JSON
    retired INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL, row_hash BLOB NOT NULL DEFAULT x'',          -- UTC
    UNIQUE (name, version),
    UNIQUE (name, hash)
);
INSERT INTO bot VALUES(1,'ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','["python3", "-u", "./ash.py"]','/home/ash/.arena/bots/ash/1-9f8b886b5edc','python','[]',0,'2026-11-22T12:05:07Z',X'97bd14f5975d82fe');
CREATE TABLE forfeit (
    id TEXT PRIMARY KEY,
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text TEXT NOT NULL              -- JSON
, row_hash BLOB NOT NULL DEFAULT x'') WITHOUT ROWID;
CREATE TABLE tally (tournament INTEGER PRIMARY KEY, matches INTEGER NOT NULL);
INSERT INTO tally VALUES(1,6);
CREATE TABLE round (
    tournament INTEGER NOT NULL REFERENCES tournament,
    number INTEGER NOT NULL,        -- from 0
    plan TEXT NOT NULL,             -- JSON
    points TEXT NOT NULL,           -- JSON, '' until it is over
    row_hash BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (tournament, number)
);
CREATE TABLE fold (
    kind TEXT NOT NULL,
    tournament INTEGER NOT NULL,    -- 0: all of them
    game TEXT NOT NULL,             -- '': all of them
    complete INTEGER NOT NULL,      -- 1: no match is missing up to the last one in it
    last_tournament INTEGER NOT NULL,
    last_number INTEGER NOT NULL,
    seen INTEGER NOT NULL,          -- the newest record.seq when it was made
    matches INTEGER NOT NULL,       -- of the scope, up to and with the last one
    basis TEXT NOT NULL,            -- which matches counted
    text TEXT NOT NULL,             -- JSON
    row_hash BLOB NOT NULL,         -- of all that is above
    more BLOB NOT NULL DEFAULT x'', -- read only to go on, and last, as the rest is read without it
    more_hash BLOB NOT NULL DEFAULT x'',
    UNIQUE (kind, tournament, game, complete)
);



COMMIT;
PRAGMA application_id = 1095913025;
PRAGMA user_version = 8;
