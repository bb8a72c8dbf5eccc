#!/usr/bin/env python3
"""A bot that asks a model: any server of chat completions, on this machine or elsewhere.

It is told by variables whom to ask. Nothing but Python is needed:

    CHAT_URL       the server, up to and with /v1; without it, one on this machine
    CHAT_MODEL     the name of the model
    CHAT_KEY_NAME  the variable that has the key, if the server wants one: OPENAI_API_KEY
    CHAT_PRICE     what a million prompt tokens and completion tokens cost, such as 0.15,0.60
    CHAT_MORE      more for each request, such as {"temperature": 0}
    CHAT_CASSETTE  a file that keeps all answers; the same match gets them from there again

Bots have no network, so enter this one with `ask:` and not with `run:`. To make it yours, change
`messages`, which is what the model reads, and `action_in`, which is what is taken from its answer.
"""

import contextlib
import email.utils
import errno
import hashlib
import http.client
import json
import os
import queue
import random
import re
import socket
import sys
import threading
import time
import urllib.parse

NAME, VERSION = "my-bot", "1"

URL = urllib.parse.urlsplit(os.environ.get("CHAT_URL", "http://127.0.0.1:11434/v1"))
MODEL = os.environ.get("CHAT_MODEL", "")
KEY = os.environ.get(os.environ.get("CHAT_KEY_NAME", "OPENAI_API_KEY"), "").strip()
PRICE = [float(price) / 1e6 for price in os.environ.get("CHAT_PRICE", "0,0").split(",")]
MORE = json.loads(os.environ.get("CHAT_MORE", "{}"))
CASSETTE = os.environ.get("CHAT_CASSETTE", "")

TRIES = 3  # answers of the model to one question, if none has a legal action
LISTED = 400  # legal actions that it reads
SAID = 100  # lines of an answer that are logged
CONNECT_SECONDS = 10
AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}  # what a server says that may soon be well


# what the model reads, and what is taken from its answer


def messages(match):
    """Return the question: the rules, which are the same each time, and the position."""
    listed = " ".join(match.legal[:LISTED])
    more = f" and {len(match.legal) - LISTED} more" if match.legal[LISTED:] else ""
    rules = (
        f"You play {match.game} to win. You are player {match.seat} of {match.players}, counted "
        f"from 0.\n\n{match.rules}\n\nThink as long as you like. End with one JSON object that "
        'has your action: {"action": "..."}'
    )
    position = f"Position, as you may know it: {match.observation}\nLegal actions: {listed}{more}"
    return [{"role": "system", "content": rules}, {"role": "user", "content": position}]


def action_in(text):
    """Return the action that an answer names: what the last JSON object in it says."""
    text = text[-20_000:]
    found, at = {}, text.find("{")
    while at >= 0:
        try:
            found, end = json.JSONDecoder().raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return str(found.get("action", "")).strip()


def choose(match, seconds):
    """Return a legal action in time: the model's, or a random one if it names none."""
    deadline = time.monotonic() + seconds
    asked, costs, outcome = messages(match), dict.fromkeys(COSTS, 0), "fallback"
    action = match.legal[int(match.rng.random() * len(match.legal))]
    try:
        for turn in range(TRIES):
            answer = answer_to(match, asked, turn, deadline)
            costs = {key: costs[key] + answer[key] for key in COSTS}
            for line in answer["text"].splitlines()[:SAID]:
                log(f"says: {line}")
            named = action_in(answer["text"])
            if named in match.legal:
                action, outcome = named, "ok"
                break
            asked += [
                {"role": "assistant", "content": answer["text"]},
                {"role": "user", "content": f'"{named}" is no legal action. Answer with one.'},
            ]
    except Late:
        outcome = "late"
        costs["calls"] += 1
    send("info", *[f"{key}={plain(costs[key])}" for key in COSTS], f"outcome={outcome}")
    return action


# asking the server

COSTS = ("prompt_tokens", "completion_tokens", "calls", "cost")  # the arena adds these up


class Late(Exception):
    """The server was thinking when our time was up."""


class Unable(Exception):
    """The server cannot be had now."""


def answer_to(match, asked, turn, deadline):
    """Return an answer with its costs: from the cassette, if it was given in this match before."""
    question = hashlib.sha256(json.dumps(asked[1:]).encode()).hexdigest()
    key = f"{match.id} {match.decision} {turn} {question}"
    answer = match.answers.get(key)
    if answer is None:
        try:
            answer = ask_until(deadline, asked)
        except Late:
            answer = {"late": True}
        keep(key, answer)
    if "late" in answer:
        raise Late
    return answer


def ask_until(deadline, asked):
    """Ask again and again until the server answers; raise `Unable` if it does not."""
    why, wait = "", 0.5
    while True:
        left = deadline - time.monotonic()
        try:
            return in_time(left, ask, asked, left)
        except Unable:
            raise
        except Late:
            if why:  # it did not answer before, and this try had less time
                raise Unable(why) from None
            raise
        except Refused as refused:
            why, wait = str(refused), refused.wait or wait
        except Exception as error:  # no way there, half an answer, or something else than one
            if getattr(error, "errno", None) == errno.EAFNOSUPPORT:
                raise Unable("there is no network here: enter this bot with ask:") from None
            why = f"{type(error).__name__}: {error}"
        log(f"the server: {why}")
        if time.monotonic() + wait >= deadline:
            raise Unable(why)
        time.sleep(wait)
        wait *= 2


class Refused(Exception):
    """The server refuses; it says itself how many seconds to wait, or we find out."""

    def __init__(self, status, reason, wait):
        super().__init__(f"{status} {reason}")
        self.wait = wait


def ask(asked, seconds):
    """Ask once, and return the text of the answer with its costs."""
    kind = http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection
    connection = kind(URL.netloc, timeout=min(CONNECT_SECONDS, seconds / 2))
    socket.socket().close()  # where bots have no network, this says so at once
    try:
        connection.connect()
        connection.sock.settimeout(seconds + 1)
        body = json.dumps({"model": MODEL, "messages": asked, **MORE})
        head = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
        connection.request("POST", f"{URL.path.rstrip('/')}/chat/completions", body, head)
        response = connection.getresponse()
        content = response.read(1 << 22)
    finally:
        connection.close()
    if response.status in AGAIN:
        raise Refused(response.status, response.reason, seconds_in(response.headers["Retry-After"]))
    if response.status != 200:  # a wrong key, say, which does not become right
        raise Unable(f"{response.status} {response.reason}")
    answer = json.loads(content)
    usage = answer.get("usage") or {}
    tokens = [int(usage.get(key) or 0) for key in COSTS[:2]]
    cost = usage.get("cost") or sum(map(float.__mul__, PRICE, map(float, tokens)))
    text = answer["choices"][0]["message"]["content"] or ""
    return {"text": str(text), **dict(zip(COSTS, [*tokens, 1, float(cost)], strict=True))}


def seconds_in(text):
    """Return how long `Retry-After` means: a number, or a date; None if it is not there."""
    try:
        return max(0.1, float(text))
    except (TypeError, ValueError):
        date = email.utils.parsedate_to_datetime(text) if text else None
        return date and max(0.1, date.timestamp() - time.time())


def in_time(seconds, work, *words):
    """Return what `work` returns; raise `Late` if that takes longer, whatever it waits for."""
    done = queue.SimpleQueue()

    def run():
        try:
            done.put((work(*words), None))
        except Exception as error:
            done.put((None, error))

    if seconds > 0:
        threading.Thread(target=run, daemon=True).start()
    try:
        result, error = done.get(timeout=max(0, seconds))
    except queue.Empty:
        raise Late from None
    if error is not None:
        raise error
    return result


# the cassette: a line for each answer, KEY and then the answer as JSON


def kept(match_id):
    """Return the answers that were given in a match, by their keys."""
    found = {}
    if CASSETTE and os.path.exists(CASSETTE):
        with open(CASSETTE, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith(match_id):
                    key, _, answer = line.partition(" {")
                    with contextlib.suppress(ValueError):  # it was cut off
                        found[key] = json.loads("{" + answer)
    return found


def keep(key, answer):
    """Add a line in one piece, as other matches are adding theirs."""
    if CASSETTE:
        file = os.open(CASSETTE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{key} {json.dumps(answer)}\n".encode())
        os.close(file)


# speaking with the arena


class Match:
    """What the arena told us about the match we are in."""

    def __init__(self, match_id, game):
        self.id, self.game, self.rules = match_id, game, rules_of(game)
        self.seat, self.players, self.rng = 0, 2, random.Random()
        self.decision, self.observation, self.legal = 0, "", []
        self.answers = kept(match_id)


def rules_of(game):
    """Return what `arena games GAME` prints, up to its examples; nothing if that is not here."""
    try:
        from engines import EngineError
        from engines.core.pages import rules_page

        page = rules_page(game.partition("(")[0])
    except (ImportError, EngineError):
        return ""
    return re.split(r"^## .*(?:[Ee]xamples|Perft)", page, maxsplit=1, flags=re.MULTILINE)[0]


def plain(value):
    """Write a number without an exponent."""
    return f"{value:.9f}".rstrip("0").rstrip(".")


def send(*words):
    """Write one line to the arena, at once."""
    print(*words, flush=True)


def log(text):
    """Keep a line in the log of the match; the arena takes no control characters."""
    send("log", "".join(c if c.isprintable() else " " for c in text[:500]))


def seconds_for(words):
    """Return how long an answer may take; of a clock for the whole game, a tenth."""
    limits = dict(word.split("=", 1) for word in words if "=" in word)
    limit = int(limits.get("limit", 60_000))
    return 0.9 * min(limit, max(1000, int(limits.get("left", 10 * limit)) / 10)) / 1000 - 0.1


def main():
    """Answer the arena until it says `quit`."""
    sys.stdout.reconfigure(encoding="utf-8")
    match = None
    for line in sys.stdin:
        if not line.endswith("\n"):
            return  # it was cut off, and is no message
        verb, _, rest = line.rstrip("\r\n").partition(" ")
        words = rest.split(" ")
        if verb == "hello":
            send("ready", "abp=1", "want=obs,legal", f"name={NAME}", f"version={VERSION}")
        elif verb == "game":
            match = Match(words[0], words[1])
        elif verb == "seat":
            match.seat, match.players = int(words[0]), int(words[1])
        elif verb == "seed":
            match.rng.seed(int(rest))
        elif verb == "obs":
            match.observation = rest
        elif verb == "legal":
            match.legal = words
        elif verb == "go":
            match.decision = words[0]
            try:
                send("play", choose(match, seconds_for(words)), words[0])
            except Unable as error:
                send("unable", "".join(c if " " <= c <= "~" else "?" for c in str(error)[:300]))
        elif verb == "quit":
            return


if __name__ == "__main__":
    main()
