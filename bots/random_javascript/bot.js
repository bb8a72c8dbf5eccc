// Plays a random legal action; the whole bot protocol it needs is in this loop.
"use strict";

let state = 0n;
let actions = [];

function random(n) { // 0 … n-1, by splitmix64: the same on every machine
  state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
  let z = state;
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return Number((z ^ (z >> 31n)) % BigInt(n));
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [verb, ...words] = line.split(" ");
  if (verb === "hello") console.log("ready want=legal name=random-js");
  else if (verb === "seed") state = BigInt(words[0]);
  else if (verb === "legal") actions = words;
  else if (verb === "go") console.log(`play ${actions[random(actions.length)]} ${words[0]}`);
  else if (verb === "quit") process.exit();
});
