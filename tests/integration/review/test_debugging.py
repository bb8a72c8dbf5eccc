"""A bot stopped by ``debug()`` of its kit in a recorded match, by somebody at a terminal."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.arena_command import ROOT, output
from support.kits import changed_kit
from support.needs import tool, toolchain
from support.piped import Piped
from support.slowly import nightly
from support.terminals import Terminal, terminal

TOOLS = {"javascript": "node", "c": "gdb", "cpp": "gdb", "go": "gdb", "rust": "gdb"}

pytestmark = [pytest.mark.usefixtures("no_process_left"), pytest.mark.slow]


def stopping(folder: Path, language: str) -> Path:
    """Write the kit of a language with a call of ``debug`` where it chooses."""
    toolchain(language)
    call = {"shell": "debug", "python": "debug()"}.get(language, "debug();")
    return changed_kit(language, folder, first=call)


def recorded(folder: Path) -> Path:
    """Record a match and return its file."""
    match = folder / "match.json"
    bots = (ROOT / "bots/kit/python/bot.py", "random")
    output(folder, "play", "leaves", *bots, "--seed", 4, "--record", match)
    return match


def sitting(folder: Path, bot: Path) -> tuple[str, ...]:
    """Return the words that put a bot into seat 0 of a recorded match, for two decisions."""
    match = str(recorded(folder))
    words = ("reproduce", match, "--seat", "0", "--against", str(bot))
    return (*words, "--until", "2", "--no-clock")


def in_pdb(screen: Terminal) -> None:
    for decision in (1, 2):
        # where pdb stops: from Python 3.13 on at the call itself
        screen.expect(r"-> debug\(\)" if sys.version_info >= (3, 13) else r"-> return match\.legal")
        screen.expect(r"\(Pdb\) ")
        screen.type(b"p match.seat, len(match.legal) > 0")
        screen.expect(r"\(0, True\)")
        screen.expect(r"\(Pdb\) ")
        assert decision == 2 or "identical" not in screen.shown
        screen.type(b"c")


def at_a_prompt(screen: Terminal, wrong: bytes, right: bytes, shown: str) -> None:
    for _ in range(2):
        for word in (wrong, right):  # a wrong one does no harm
            screen.expect("debug> ")
            screen.type(word)
        screen.expect(f"{shown}\ndebug> ")
        screen.type(b"")


def in_shell(screen: Terminal) -> None:
    at_a_prompt(screen, b'echo "seat is $seat"; if', b'echo "seat is <$seat>"', "seat is <0>")


def in_fields(screen: Terminal) -> None:
    at_a_prompt(screen, b"nothing of the kind", b"seat", "seat\n0")


def in_gdb(screen: Terminal) -> None:
    for _ in range(2):
        pid = screen.expect(r"gdb -p (\d+)\n")[1]
        batch = ["gdb", "-batch", "-p", pid, "-ex", "continue", "-ex", "backtrace", "-ex", "detach"]
        done = subprocess.run(batch, capture_output=True, text=True, timeout=60, check=False)
        if "ptrace" in done.stderr:
            pytest.skip(f"this machine lets nobody trace a process: {done.stderr.splitlines()[-1]}")
        assert "SIGTRAP" in done.stdout, done


def in_node(screen: Terminal) -> None:
    for _ in range(2):
        screen.expect(r"debug: waiting")
        address = re.findall(r"ws://(127\.0\.0\.1:\d+)/", screen.shown)[-1]
        client = Piped(["node", "inspect", address], stderr=subprocess.STDOUT)
        shown = ""
        for stop, command in (("break in", "out"), ("break in", "exec match.seat"), ("0", "cont")):
            while stop not in shown:
                line = client.stdout.readline()
                assert line, shown
                shown += line
            shown = ""
            client.say(command)
        client.kill()
        client.communicate(timeout=30)


@pytest.mark.parametrize(
    ("language", "check_all"),
    [
        ("python", in_pdb),
        ("shell", in_shell),
        ("awk", in_fields),
        ("javascript", in_node),
        *nightly([("java", in_fields), *((name, in_gdb) for name in ("c", "cpp", "go", "rust"))]),
    ],
)
def test_debug_of_kit_stops_at_terminal(
    tmp_path: Path, language: str, check_all: Callable[[Terminal], None]
) -> None:
    """A kit's ``debug()`` stops a bot asked as recorded, at the terminal; it plays to the end."""
    if language in TOOLS:
        tool(TOOLS[language])
    with terminal(tmp_path / "home", *sitting(tmp_path, stopping(tmp_path, language))) as screen:
        check_all(screen)
        code = screen.close()
        # a bot that ignores its seed may repeat both choices of the record, one, or none
        same, other = "identical (2 decisions)" in screen.shown, r"decision [12]: recorded"
        assert code == (0 if same else 1), screen.shown
        assert same != bool(re.search(other, screen.shown)), screen.shown
        assert not re.search("crash|not asked", screen.shown)


def test_ctrl_c_in_debugger_ends_command(tmp_path: Path) -> None:
    """Ctrl-C at a bot's debugger ends the command with exit code 130."""
    with terminal(tmp_path / "home", *sitting(tmp_path, stopping(tmp_path, "python"))) as screen:
        screen.expect(r"\(Pdb\) ")
        screen.press(b"\x03")
        assert screen.close() == 130
