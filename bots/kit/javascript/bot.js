#!/usr/bin/env node
// A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
//
// The arena writes lines to our standard input and reads our standard output; nothing but the
// protocol may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where you
// want to look around. Nothing but Node.js is needed.
"use strict";

const NAME = "my-bot";
const VERSION = "1";
const WANT = "obs,legal"; // what we want to be sent, of: obs legal did event

// What the arena told us about the match we are in.
function newMatch(game) {
  return {
    game, // the rules: "leaves" or "leaves(tree=plus)"
    seat: 0, // we are player `seat` of `players`, counted from 0
    players: 2,
    clock: {}, // limits in milliseconds: main, inc, move, first
    random: randomFrom(0n), // seeded, so that a match can be played again
    setup: null, // the starting position, if the game hides nothing of it
    actions: [], // [player, action] so far, "?" for one we may not know; want=did
    events: [], // what became known; want=event
    observation: "", // the position as we may know it; want=obs
    legal: [], // the legal actions, at most 10,000; want=legal
    legalIsPart: false, // there are more than 10,000: these were drawn among them
  };
}

// Return one of `match.legal`; this is the place to be clever. `limitMs` are the milliseconds for
// this answer, `leftMs` those on our clock for the whole match; undefined where there is no limit.
function choose(match, leftMs, limitMs) {
  if (!match.legal.length) giveUp("choose needs the legal actions: put legal into WANT");
  return match.legal[match.random(match.legal.length)];
}

// Return a function that draws 0 … n-1: splitmix64, since Math.random() cannot be seeded.
function randomFrom(seed) {
  let state = seed;
  return (n) => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) % BigInt(n));
  };
}

function send(...words) {
  process.stdout.write(words.join(" ") + "\n");
}

// Keep a line in this bot's log of the match.
function log(text) {
  send("log", text);
}

// Say why we cannot go on, and end.
function giveUp(why) {
  send("error", why);
  process.exit(1);
}

// Wait here for a debugger, and stop in it; where there is no terminal (in a match), say so and go
// on. `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
// In another one: `node inspect HOST:PORT`, as this says, or chrome://inspect.
function debug() {
  const inspector = require("inspector");
  try {
    const fs = require("fs");
    fs.closeSync(fs.openSync("/dev/tty", "r"));
  } catch (error) {
    console.error(`debug: no terminal here (${error.code}), going on`);
    return;
  }
  if (!inspector.url()) inspector.open(0, "127.0.0.1");
  console.error(`debug: waiting for a debugger: node inspect ${new URL(inspector.url()).host}`);
  inspector.waitForDebugger();
  debugger; // step out, and you are where `debug` was called
}

// Read ["a=1", "b=2"] as { a: "1", b: "2" }.
function pairs(words) {
  return Object.fromEntries(words.filter((word) => word.includes("=")).map((word) => {
    const at = word.indexOf("=");
    return [word.slice(0, at), word.slice(at + 1)];
  }));
}

function number(text) {
  return text === undefined ? undefined : Number(text);
}

let match = newMatch("");

const answers = {
  // once, first: abp 1
  hello: () => send("ready", "abp=1", `want=${WANT}`, `name=${NAME}`, `version=${VERSION}`),
  // ID GAME: forget the last match
  game: (rest, words) => { match = newMatch(words[1]); },
  seat: (rest, words) => { match.seat = Number(words[0]); match.players = Number(words[1]); },
  clock: (rest, words) => {
    for (const [key, value] of Object.entries(pairs(words))) match.clock[key] = Number(value);
  },
  seed: (rest) => { match.random = randomFrom(BigInt(rest)); },
  setup: (rest) => { match.setup = rest; },
  did: (rest, words) => { match.actions.push([Number(words[0]), words[1]]); },
  event: (rest) => { match.events.push(rest); },
  obs: (rest) => { match.observation = rest; },
  legal: (rest, words) => { match.legal = words; },
  // D left=… limit=…: decide, and say D with the answer
  go: (rest, words) => {
    const limits = pairs(words);
    match.legalIsPart = limits.legal === "part";
    send("play", choose(match, number(limits.left), number(limits.limit)), words[0]);
  },
  // CODE TEXT: what we did wrong
  bad: (rest) => log(`the arena says: ${rest}`),
  // ID rank=1/2 score=12,9 by=rules
  end: () => {},
  quit: () => process.exit(),
};

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const space = line.indexOf(" ");
  const verb = space < 0 ? line : line.slice(0, space);
  const rest = space < 0 ? "" : line.slice(space + 1);
  // a verb we do not know belongs to a later version of the protocol
  if (Object.hasOwn(answers, verb)) answers[verb](rest, rest.split(" "));
});
