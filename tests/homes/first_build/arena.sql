BEGIN TRANSACTION;
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
    created TEXT NOT NULL,          -- UTC
    UNIQUE (name, version),
    UNIQUE (name, hash)
);
INSERT INTO "bot" VALUES(1,'ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','["/usr/bin/python3", "-u", "./ash.py"]','/srv/course/.arena/bots/ash/1-9f8b886b5edc','python','[]',0,'2026-11-21T23:51:52Z');
CREATE TABLE entrant (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament,
    name TEXT NOT NULL,
    bot TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL,
    args TEXT NOT NULL,             -- JSON
    position INTEGER NOT NULL,      -- in the file
    state TEXT NOT NULL DEFAULT '', -- why it no longer plays
    UNIQUE (tournament, name)
);
INSERT INTO "entrant" VALUES(1,1,'ash','ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','[]',0,'');
INSERT INTO "entrant" VALUES(2,1,'elm','ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','[]',1,'');
INSERT INTO "entrant" VALUES(3,1,'dead','ash',1,'sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3','["dead"]',2,'a startup fault, in match d6d7cbd6e5ff1cdd');
CREATE TABLE fold (
    kind TEXT NOT NULL,
    tournament INTEGER NOT NULL,    -- 0: all of them
    game TEXT NOT NULL,             -- '': all of them
    complete INTEGER NOT NULL,      -- 1: no match is missing up to the last one in it
    last_tournament INTEGER NOT NULL,
    last_number INTEGER NOT NULL,
    seen INTEGER NOT NULL,          -- the newest record.seq when it was made
    text TEXT NOT NULL,             -- JSON
    PRIMARY KEY (kind, tournament, game, complete)
) WITHOUT ROWID
;
INSERT INTO "fold" VALUES('trueskill draw=0.1',1,'',1,1,5,6,'{"format":1,"draw":0.1,"last":[1,5],"table":{"dead":[16.73138197692093,5.677270802483018,0,0,4,16,0,0,{"startup":1}],"elm":[27.950290850785684,5.244598585293113,3,0,1,10,9,953,{}],"ash":[31.05572455683882,5.233191929289871,3,0,1,10,9,1093,{}]}}');
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
    play INTEGER NOT NULL, unplayed INTEGER NOT NULL DEFAULT 0,          -- a hash of what was played: equal for duplicates
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
INSERT INTO "match" VALUES(1,0,1,'leaves','leaves|dead+elm|0',0,'startup','3,2','2,1','0:startup','0,0','0,0',6856292564112316509,0);
INSERT INTO "match" VALUES(1,1,2,'leaves','leaves|dead+elm|0',1,'startup','2,3','1,2','1:startup','0,0','0,0',8260381770124574183,1);
INSERT INTO "match" VALUES(1,2,3,'leaves','leaves|ash+elm|0',0,'rules','1,2','2,1','','5,4','622,422',-8898894207193988105,0);
INSERT INTO "match" VALUES(1,3,6,'leaves','leaves|ash+elm|0',1,'rules','2,1','2,1','','5,4','531,471',-6531670162833665806,0);
INSERT INTO "match" VALUES(1,4,4,'leaves','leaves|ash+dead|0',0,'startup','1,3','1,2','1:startup','0,0','0,0',1532506362452808273,1);
INSERT INTO "match" VALUES(1,5,5,'leaves','leaves|ash+dead|0',1,'startup','3,1','2,1','0:startup','0,0','0,0',15886319640412097,1);
CREATE TABLE record (
    seq INTEGER PRIMARY KEY,        -- in order of arrival
    tournament INTEGER NOT NULL,
    number INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL              -- JSON
);
INSERT INTO "record" VALUES(1,1,0,'d6d7cbd6e5ff1cdd','{"format":1,"id":"d6d7cbd6e5ff1cdd","tournament":"old","block":"leaves|dead+elm|0","seating":0,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"players":[{"bot":"dead","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":["dead"],"seed":"163059738752820981","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]},{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"2346396574101644110","sent":"sha256:5d931ff1251ec242e72024abe7de7837f559198bc3f177bb7b9ae9749f9108da","want":["legal"]}],"actions":[[0,null]],"decisions":[{"ms":0.000,"cpu_ms":null,"charged_ms":0.000,"late":false}],"scores":null,"ranks":[2,1],"by":"startup","faults":[{"player":0,"code":"startup","decision":0,"detail":"it exited with status 1 before it said ready","stderr":"I do not start"}],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-21T23:51:55.182Z","elapsed_ms":333}');
INSERT INTO "record" VALUES(2,1,1,'c74fdf6d21db2395','{"format":1,"id":"c74fdf6d21db2395","tournament":"old","block":"leaves|dead+elm|0","seating":1,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"players":[{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"8956457915996185034","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]},{"bot":"dead","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":["dead"],"seed":"9178059176237656725","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]}],"actions":[[1,null]],"decisions":[{"ms":0.000,"cpu_ms":null,"charged_ms":0.000,"late":false}],"scores":null,"ranks":[1,2],"by":"startup","faults":[{"player":1,"code":"startup","decision":0,"detail":"suspended after a startup fault; the match was not played","stderr":""}],"unplayed":true,"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-21T23:51:55Z","elapsed_ms":0}');
INSERT INTO "record" VALUES(3,1,2,'ac0066bce6619597','{"format":1,"id":"ac0066bce6619597","tournament":"old","block":"leaves|ash+elm|0","seating":0,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"players":[{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"2338564153269817461","sent":"sha256:039761b1db8c096051594eaaca3bfde5811654d7ec2456f3f5b47dcad607339f","want":["legal"]},{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"4550423472897486560","sent":"sha256:eff16efee83a7003d9addead8235cc753d02dbef2df20622156ccab04f3c68b2","want":["legal"]}],"actions":[[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1"]],"decisions":[{"ms":0.200,"cpu_ms":0.124,"charged_ms":0.200,"late":false},{"ms":0.147,"cpu_ms":0.095,"charged_ms":0.147,"late":false},{"ms":0.068,"cpu_ms":0.056,"charged_ms":0.068,"late":false},{"ms":0.059,"cpu_ms":0.046,"charged_ms":0.059,"late":false},{"ms":0.176,"cpu_ms":0.144,"charged_ms":0.176,"late":false},{"ms":0.117,"cpu_ms":0.068,"charged_ms":0.117,"late":false},{"ms":0.105,"cpu_ms":0.061,"charged_ms":0.105,"late":false},{"ms":0.100,"cpu_ms":0.058,"charged_ms":0.100,"late":false},{"ms":0.073,"cpu_ms":0.034,"charged_ms":0.073,"late":false}],"scores":[2,3],"ranks":[2,1],"by":"rules","faults":[],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-21T23:51:55.756Z","elapsed_ms":127}');
INSERT INTO "record" VALUES(4,1,4,'389d5a5384ff0838','{"format":1,"id":"389d5a5384ff0838","tournament":"old","block":"leaves|ash+dead|0","seating":0,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"players":[{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"4948058611263243272","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]},{"bot":"dead","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":["dead"],"seed":"3383257871526248832","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]}],"actions":[[1,null]],"decisions":[{"ms":0.000,"cpu_ms":null,"charged_ms":0.000,"late":false}],"scores":null,"ranks":[1,2],"by":"startup","faults":[{"player":1,"code":"startup","decision":0,"detail":"suspended after a startup fault; the match was not played","stderr":""}],"unplayed":true,"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-21T23:51:55Z","elapsed_ms":0}');
INSERT INTO "record" VALUES(5,1,5,'73d0acc01975a5a1','{"format":1,"id":"73d0acc01975a5a1","tournament":"old","block":"leaves|ash+dead|0","seating":1,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"players":[{"bot":"dead","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":["dead"],"seed":"8242523485507600260","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]},{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"43224135387196567","sent":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","want":[]}],"actions":[[0,null]],"decisions":[{"ms":0.000,"cpu_ms":null,"charged_ms":0.000,"late":false}],"scores":null,"ranks":[2,1],"by":"startup","faults":[{"player":0,"code":"startup","decision":0,"detail":"suspended after a startup fault; the match was not played","stderr":""}],"unplayed":true,"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-21T23:51:55Z","elapsed_ms":0}');
INSERT INTO "record" VALUES(6,1,3,'8c205c2d6870a324','{"format":1,"id":"8c205c2d6870a324","tournament":"old","block":"leaves|ash+elm|0","seating":1,"game":"leaves","rules_version":1,"setup":"#/#/#/#/# 0 10,10 1 *","opening":[[0,"E1"],[1,"S1-3"]],"seed":"11541157421994980437","clock":{"move":10000,"first":10000,"margin":50,"start":10000},"players":[{"bot":"elm","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"7781709030331646629","sent":"sha256:039761b1db8c096051594eaaca3bfde5811654d7ec2456f3f5b47dcad607339f","want":["legal"]},{"bot":"ash","version":1,"hash":"sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3","args":[],"seed":"8680506574424275890","sent":"sha256:eff16efee83a7003d9addead8235cc753d02dbef2df20622156ccab04f3c68b2","want":["legal"]}],"actions":[[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1-1"],[1,"N1-1"],[0,"N1"]],"decisions":[{"ms":0.172,"cpu_ms":0.103,"charged_ms":0.172,"late":false},{"ms":0.089,"cpu_ms":0.077,"charged_ms":0.089,"late":false},{"ms":0.098,"cpu_ms":0.081,"charged_ms":0.098,"late":false},{"ms":0.170,"cpu_ms":0.131,"charged_ms":0.170,"late":false},{"ms":0.114,"cpu_ms":0.068,"charged_ms":0.114,"late":false},{"ms":0.099,"cpu_ms":0.057,"charged_ms":0.099,"late":false},{"ms":0.079,"cpu_ms":0.045,"charged_ms":0.079,"late":false},{"ms":0.113,"cpu_ms":0.060,"charged_ms":0.113,"late":false},{"ms":0.067,"cpu_ms":0.034,"charged_ms":0.067,"late":false}],"scores":[2,3],"ranks":[2,1],"by":"rules","faults":[],"arena_version":"0.1.0","sandbox":"bwrap","started":"2026-11-21T23:51:55.932Z","elapsed_ms":103}');
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    edition INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    config TEXT NOT NULL,           -- JSON
    created TEXT NOT NULL,          -- UTC
    last_run TEXT NOT NULL,         -- UTC
    run_order INTEGER NOT NULL,     -- the one run last has the largest
    stop INTEGER, revised INTEGER NOT NULL DEFAULT 0,                   -- matches from this number on are not counted
    UNIQUE (name, edition)
);
INSERT INTO "tournament" VALUES(1,'old',1,'bef41c2ce732b784b97ecc8a1ed27f68bd1584474d45b9a657a39c5752869892','{"bots": {"ash": {"args": [], "clock": {}, "env": {}, "memory": null, "program": "sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3"}, "dead": {"args": ["dead"], "clock": {}, "env": {}, "memory": null, "program": "sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3"}, "elm": {"args": [], "clock": {}, "env": {}, "memory": null, "program": "sha256:9f8b886b5edc1bac3a6d61b863b118ecf8326f6df7d56459870dfe36d528acd3"}}, "clock": {"first": "10000 ms", "inc": "0 ms", "main": "no limit", "margin": "50 ms", "move": "10000 ms", "start": "10000 ms"}, "format": "round-robin", "games": {"leaves": "rules 1"}, "max_decisions": null, "max_faults": 1, "memory": "1GiB", "on_timeout": "forfeit", "opening": {"plies": 2, "setups": null}, "pin": true, "ponder": false, "processes": "fresh", "rounds": 1, "sandbox": "auto", "seed": 3, "stop": {"matches": null}}','2026-11-21T23:51:54Z','2026-11-21T23:51:54Z',2,NULL,0);
CREATE TABLE undecided (
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    number INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (tournament, id)
) WITHOUT ROWID;
CREATE TABLE void (
    seq INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournament,
    id TEXT NOT NULL,               -- of the match
    attempt INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL,               -- UTC
    UNIQUE (tournament, id, attempt)
);
COMMIT;
PRAGMA application_id = 1095913025;
PRAGMA user_version = 2;
