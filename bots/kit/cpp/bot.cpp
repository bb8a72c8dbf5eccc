// A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
//
// The arena writes lines to our standard input and reads our standard output; nothing but the
// protocol may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where you
// want to look around.
// Build: c++ -O2 -std=c++17 -o bot bot.cpp
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

const std::string NAME = "my-bot", VERSION = "1";
const std::string WANT = "obs,legal"; // what we want to be sent, of: obs legal did event

// What the arena told us about the match we are in.
struct Match {
    std::string game;                  // the rules: "leaves" or "leaves(tree=plus)"
    int seat = 0, players = 2;         // we are player `seat` of `players`, counted from 0
    std::map<std::string, long> clock; // limits in milliseconds: main, inc, move, first
    std::mt19937_64 random;            // seeded, so that a match can be played again
    std::string setup;                 // the starting position, if the game hides nothing of it
    std::vector<std::pair<int, std::string>> actions; // player and action so far, "?" for one we
                                                      // may not know; want=did
    std::vector<std::string> events;                  // what became known; want=event
    std::string observation;                          // the position as we may know it; want=obs
    std::vector<std::string> legal; // the legal actions, at most 10,000; want=legal
    bool legal_is_part = false;     // there are more than 10,000: these were drawn among them
};

// Write one line to the arena at once: a line that waits in a buffer costs the match.
void send(const std::string &line) { std::cout << line << std::endl; }

// Keep a line in this bot's log of the match.
void log(const std::string &text) { send("log " + text); }

// Say why we cannot go on, and end.
[[noreturn]] void give_up(const std::string &why) {
    send("error " + why);
    std::exit(1);
}

// Wait here for a debugger, and stop in it; where there is no terminal (in a match), say so and go
// on. `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
// In another one: `gdb -p PID`, then `continue`, and `up` to where `debug` was called.
[[maybe_unused]] void debug() {
    int terminal = open("/dev/tty", O_RDWR);
    if (terminal < 0) {
        std::cerr << "debug: no terminal here (" << std::strerror(errno) << "), going on\n";
        return;
    }
    close(terminal);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // anyone of yours may trace it
    std::cerr << "debug: waiting for a debugger: gdb -p " << getpid() << std::endl;
    for (bool traced = false; !traced;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);)
            traced = traced || (line.rfind("TracerPid:", 0) == 0 && line != "TracerPid:\t0");
    }
    std::raise(SIGTRAP);
}

// Return one of `match.legal`; this is the place to be clever. `limit_ms` are the milliseconds for
// this answer, `left_ms` those on our clock for the whole match; nothing where there is no limit.
std::string choose(Match &match, std::optional<long> left_ms, std::optional<long> limit_ms) {
    (void)left_ms, (void)limit_ms; // not used yet
    if (match.legal.empty()) give_up("choose needs the legal actions: put legal into WANT");
    return match.legal[match.random() % match.legal.size()];
}

std::vector<std::string> split(const std::string &text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

// Read the numbers among {"a=1", "b=2", "c=d"}.
std::map<std::string, long> numbers(const std::vector<std::string> &words) {
    std::map<std::string, long> found;
    for (const std::string &word : words) {
        size_t at = word.find('=');
        if (at == std::string::npos || word.find_first_not_of("0123456789", at + 1) < word.size())
            continue;
        found[word.substr(0, at)] = std::strtol(word.c_str() + at + 1, nullptr, 10);
    }
    return found;
}

std::string answer(Match &match, const std::string &rest) {
    const std::vector<std::string> words = split(rest);
    const std::map<std::string, long> limits = numbers(words);
    auto limit = [&](const std::string &key) -> std::optional<long> {
        return limits.count(key) ? std::optional(limits.at(key)) : std::nullopt;
    };
    match.legal_is_part = rest.find(" legal=part") != std::string::npos;
    return "play " + choose(match, limit("left"), limit("limit")) + " " + words.at(0);
}

int main() {
    Match match;
    // a last line without its end was cut off, and is no message
    for (std::string line; std::getline(std::cin, line) && !std::cin.eof();) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const size_t space = line.find(' ');
        const std::string verb = line.substr(0, space);
        const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
        if (verb == "hello") { // once, first: abp 1
            send("ready abp=1 want=" + WANT + " name=" + NAME + " version=" + VERSION);
        } else if (verb == "game") { // ID GAME: forget the last match
            match = Match();
            match.game = split(rest).at(1);
        } else if (verb == "seat") {
            std::istringstream(rest) >> match.seat >> match.players;
        } else if (verb == "clock") {
            match.clock = numbers(split(rest));
        } else if (verb == "seed") {
            match.random.seed(std::strtoull(rest.c_str(), nullptr, 10));
        } else if (verb == "setup") {
            match.setup = rest;
        } else if (verb == "did") {
            match.actions.emplace_back(std::atoi(rest.c_str()), split(rest).at(1));
        } else if (verb == "event") {
            match.events.push_back(rest);
        } else if (verb == "obs") {
            match.observation = rest;
        } else if (verb == "legal") {
            match.legal = split(rest);
        } else if (verb == "go") { // D left=… limit=…: decide, and say D with the answer
            send(answer(match, rest));
        } else if (verb == "bad") { // CODE TEXT: what we did wrong
            log("the arena says: " + rest);
        } else if (verb == "quit") {
            break;
        } // `end ID rank=1/2 …`, and verbs of a later version: nothing to do
    }
}
