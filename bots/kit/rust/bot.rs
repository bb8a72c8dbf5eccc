//! A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
//!
//! The arena writes lines to our standard input and reads our standard output; nothing but the
//! protocol may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where
//! you want to look around.
//! Build: rustc -O --edition=2021 -o bot bot.rs
#![allow(unused)] // a bot need not use all of this

use std::collections::HashMap;
use std::fs::{read_to_string, OpenOptions};
use std::io::BufRead;

const NAME: &str = "my-bot";
const VERSION: &str = "1";
const WANT: &str = "obs,legal"; // what we want to be sent, of: obs legal did event

/// What the arena told us about the match we are in.
#[derive(Default)]
struct Match {
    game: String, // the rules: "leaves" or "leaves(tree=plus)"
    seat: usize,  // we are player `seat` of `players`, counted from 0
    players: usize,
    clock: HashMap<String, u64>, // limits in milliseconds: main, inc, move, first
    random: Random,              // seeded, so that a match can be played again
    setup: Option<String>,       // the starting position, if the game hides nothing of it
    actions: Vec<(usize, String)>, // by whom what, "?" for one we may not know; want=did
    events: Vec<String>,         // what became known; want=event
    observation: String,         // the position as we may know it; want=obs
    legal: Vec<String>,          // the legal actions, at most 10,000; want=legal
    legal_is_part: bool,         // there are more than 10,000: these were drawn among them
}

/// Return one of `now.legal`; this is the place to be clever. `limit_ms` are the milliseconds for
/// this answer, `left_ms` those on our clock for the whole match; `None` where there is no limit.
fn choose(now: &mut Match, left_ms: Option<u64>, limit_ms: Option<u64>) -> String {
    if now.legal.is_empty() {
        give_up("choose needs the legal actions: put legal into WANT");
    }
    now.legal[now.random.below(now.legal.len())].clone()
}

/// Random numbers: splitmix64.
#[derive(Default)]
struct Random(u64);

impl Random {
    /// Return 0 … n-1.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Write one line to the arena; `println` does so at once.
fn send(line: &str) {
    println!("{}", line);
}

/// Keep a line in this bot's log of the match.
fn log(text: &str) {
    send(&format!("log {}", text));
}

/// Say why we cannot go on, and end.
fn give_up(why: &str) -> ! {
    send(&format!("error {}", why));
    std::process::exit(1)
}

/// Wait here for a debugger, and stop in it; where there is no terminal (in a match), say so and go
/// on. `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
/// In another one: `gdb -p PID`, then `continue`, and `up` to where `debug` was called.
fn debug() {
    extern "C" {
        fn prctl(option: i32, ...) -> i32;
        fn raise(signal: i32) -> i32;
    }
    const PR_SET_PTRACER: i32 = 0x59616d61;
    const SIGTRAP: i32 = 5;
    if let Err(error) = OpenOptions::new().read(true).write(true).open("/dev/tty") {
        eprintln!("debug: no terminal here ({}), going on", error);
        return;
    }
    unsafe { prctl(PR_SET_PTRACER, -1_isize, 0_usize, 0_usize, 0_usize) }; // anyone of yours
    eprintln!("debug: waiting for a debugger: gdb -p {}", std::process::id());
    while read_to_string("/proc/self/status").map_or(false, |it| it.contains("\nTracerPid:\t0\n")) {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    unsafe { raise(SIGTRAP) };
}

/// Read the numbers among `a=1 b=2 c=d`.
fn numbers(text: &str) -> HashMap<String, u64> {
    let pairs = text.split(' ').filter_map(|word| word.split_once('='));
    pairs.filter_map(|(key, value)| Some((key.to_string(), value.parse().ok()?))).collect()
}

/// Read the number that a text begins with, and what follows it.
fn number_and_rest(text: &str) -> (usize, &str) {
    let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
    (number.parse().unwrap_or(0), rest)
}

fn main() -> std::io::Result<()> {
    let mut now = Match::default();
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    // a last line without its end was cut off, and is no message
    while input.read_line(&mut line)? > 0 && line.ends_with('\n') {
        let text = line.trim_end_matches(&['\r', '\n'][..]);
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match verb {
            // once, first: abp 1
            "hello" => send(&format!("ready abp=1 want={WANT} name={NAME} version={VERSION}")),
            "game" => {
                // ID GAME: forget the last match
                let game = rest.split(' ').nth(1).unwrap_or("").to_string();
                now = Match { game, players: 2, ..Match::default() };
            }
            "seat" => {
                let (seat, players) = number_and_rest(rest);
                now.seat = seat;
                now.players = number_and_rest(players).0;
            }
            "clock" => now.clock = numbers(rest),
            "seed" => now.random = Random(rest.parse().unwrap_or(0)),
            "setup" => now.setup = Some(rest.to_string()),
            "did" => {
                let (player, action) = number_and_rest(rest);
                now.actions.push((player, action.to_string()));
            }
            "event" => now.events.push(rest.to_string()),
            "obs" => now.observation = rest.to_string(),
            "legal" => now.legal = rest.split(' ').map(str::to_string).collect(),
            "go" => {
                // D left=… limit=…: decide, and say D with the answer
                now.legal_is_part = rest.contains(" legal=part");
                let limits = numbers(rest);
                let limit = |key| limits.get(key).copied();
                let action = choose(&mut now, limit("left"), limit("limit"));
                send(&format!("play {} {}", action, number_and_rest(rest).0));
            }
            "bad" => log(&format!("the arena says: {}", rest)), // CODE TEXT: what we did wrong
            "quit" => break,
            _ => {} // `end ID rank=1/2 …`, and verbs of a later version: nothing to do
        }
        line.clear();
    }
    Ok(())
}
