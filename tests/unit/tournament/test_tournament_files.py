"""Tournament files that are right: what they mean."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.tournament.from_python import check_given
from arena.tournament.parse import parse_tournament, read_tournament
from arena.values.errors import TournamentFileError
from arena.values.model import BotEntry, Clock, Opening, Stop, Tournament

SHORTEST = "name: t\ngame: leaves\nbots: [random, greedy]\n"

WORKED_EXAMPLE = """\
name: leaves-open
game: leaves                    # or games: [leaves, "leaves(tree=u)"]
format: round-robin             # round-robin | gauntlet | swiss | knockout | ladder
rounds: 10
seed: 2026
bots:
  - random                      # a bundled or submitted bot, newest version
  - greedy@2                    # that version
  - {name: mcts, run: ../bots/mcts/bot.py, args: [--simulations, "200"]}
clock: {move: 1s, first: 5s, margin: 50ms, start: 10s}     # durations with units
opening: {plies: 2}
workers: 2
"""


def read(text: str, folder: Path = Path()) -> Tournament:
    """Return what a file gives, which a program may give as well."""
    found = parse_tournament(text, "t.yaml", folder)
    assert check_given(found) == found
    return found


def with_line(line: str) -> Tournament:
    return read(SHORTEST + line + "\n")


def test_what_is_left_out_has_its_default() -> None:
    """The shortest file: one round of each pair, a second a move, all cores."""
    cores = len(os.sched_getaffinity(0))
    assert read(SHORTEST) == Tournament(
        name="t",
        games=("leaves",),
        bots=(BotEntry("random", ref="random"), BotEntry("greedy", ref="greedy")),
        format="round-robin",
        rounds=1,
        seed=None,
        clock=Clock(1000, 5000, None, 0, 50, 10_000),
        opening=Opening(0, ()),
        memory_bytes=1 << 30,
        workers=cores,
        processes="fresh",
        on_timeout="forfeit",
        ponder=False,
        pin=True,
        sandbox="auto",
        max_faults=3,
        max_decisions=None,
        durability="normal",
        stop=Stop(),
    )


def test_the_worked_example(tmp_path: Path) -> None:
    """The example of the design means what its comments say."""
    bot = tmp_path / "bots" / "mcts" / "bot.py"
    bot.parent.mkdir(parents=True)
    bot.touch()
    (tmp_path / "tournaments").mkdir()
    file = tmp_path / "tournaments" / "open.yaml"
    file.write_text(WORKED_EXAMPLE)
    found = read_tournament(file)
    assert (found.name, found.games, found.format) == ("leaves-open", ("leaves",), "round-robin")
    assert (found.rounds, found.seed, found.workers) == (10, 2026, 2)
    assert found.opening == Opening(plies=2)
    assert found.clock == Clock()
    assert found.bots[:2] == (
        BotEntry("random", ref="random"),
        BotEntry("greedy@2", ref="greedy@2"),
    )
    assert found.bots[2].name == "mcts"
    assert found.bots[2].args == ("--simulations", "200")
    assert found.bots[2].run is not None
    assert Path(found.bots[2].run).is_absolute()
    assert Path(found.bots[2].run).samefile(bot)


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("rounds: 7", "rounds", 7),
        ("format: round-robin", "format", "round-robin"),
        ("seed: 0", "seed", 0),
        ("seed: 340282366920938463463374607431768211455", "seed", 2**128 - 1),
        ("seed: secret", "seed", None),
        ("memory: 512MiB", "memory_bytes", 512 << 20),
        ("workers: 3", "workers", 3),
        ("processes: reuse", "processes", "reuse"),
        ("on_timeout: published", "on_timeout", "published"),
        ("ponder: true", "ponder", True),
        ("pin: false", "pin", False),
        ("sandbox: none", "sandbox", "none"),
        ("max_faults: 1", "max_faults", 1),
        ("max_decisions: 200", "max_decisions", 200),
        ("max_decisions: none", "max_decisions", None),
        ("durability: full", "durability", "full"),
        ("stop: {matches: 100}", "stop", Stop(matches=100)),
        ("stop: none", "stop", Stop()),
        ("opening: {plies: 0}", "opening", Opening()),
        ("opening: none", "opening", Opening()),
        ("opening:", "opening", Opening()),
        ("clock: {main: 2m, inc: 1s}", "clock", Clock(None, 5000, 120_000, 1000, 50, 10_000)),
        ("clock: {main: 2m, move: 5s}", "clock", Clock(5000, 5000, 120_000, 0, 50, 10_000)),
        ("clock: {first: 0s}", "clock", Clock(1000, 0, None, 0, 50, 10_000)),
        ("clock: {}", "clock", Clock()),
    ],
)
def test_each_key_sets_its_field(line: str, field: str, value: object) -> None:
    """One key, one field; the others stay as they are."""
    expected = dataclasses.replace(read(SHORTEST), **{field: value})  # type: ignore[arg-type]
    found = with_line(line)
    if field == "processes":  # bots that are kept leave a core to the runner
        assert found.workers == max(1, expected.workers - 1)
        found = dataclasses.replace(found, workers=expected.workers)
    assert found == expected


def test_games_are_canonical() -> None:
    """Parameters at their defaults and spaces are left out of a game's name."""
    text = 'name: t\ngames: ["leaves( tree = u )", "leaves(tree=line)"]\nbots: [a, b]\n'
    assert read(text).games == ("leaves(tree=u)", "leaves")


def test_a_bot_has_all_of_its_keys(tmp_path: Path) -> None:
    """Arguments, environment, clock and memory of one bot are its own."""
    text = (
        "name: t\ngame: leaves\nclock: {first: 2s}\nbots:\n  - a\n"
        "  - {name: b, bot: greedy@2, args: [no, '1'], env: {B: x, A: '2'}, memory: 2GiB,\n"
        "     clock: {move: 3s, margin: 10ms}}\n"
    )
    assert read(text).bots[1] == BotEntry(
        name="b",
        ref="greedy@2",
        args=("no", "1"),
        env=(("A", "2"), ("B", "x")),
        clock=Clock(3000, 2000, None, 0, 10, 10_000),
        memory_bytes=2 << 30,
    )


def test_a_bots_main_time_takes_the_place_of_the_usual_limit() -> None:
    """A bot with ``main`` has no limit a move, unless the tournament's clock gives one."""
    for common, move_ms in (("{}", None), ("{move: 2s}", 2000)):
        text = f"name: t\ngame: leaves\nclock: {common}\nbots: [a, {{bot: b, clock: {{main: 1m}}}}]"
        clock = read(text).bots[1].clock
        assert clock is not None
        assert (clock.move_ms, clock.main_ms) == (move_ms, 60_000)


def test_a_bot_without_a_name_is_called_as_it_is_given(tmp_path: Path) -> None:
    """The default of a name is the text of ``bot`` or ``run``."""
    (tmp_path / "x.py").touch()
    text = "name: t\ngame: leaves\nbots: [{bot: greedy@2}, {run: ./x.py}]\n"
    found = read(text, tmp_path).bots
    assert [bot.name for bot in found] == ["greedy@2", "./x.py"]
    assert found[1].run == str(tmp_path / "x.py")


def test_a_folder_can_be_run(tmp_path: Path) -> None:
    """``run`` may name a folder."""
    (tmp_path / "mine").mkdir()
    text = "name: t\ngame: leaves\nbots: [{name: a, run: mine}, b]\n"
    assert read(text, tmp_path).bots[0].run == str(tmp_path / "mine")


@pytest.mark.usefixtures("small_games")
def test_one_bot_is_enough_for_one_player_and_three_for_three() -> None:
    """Each game needs as many bots as it has players."""
    text = "name: t\ngames: [pebbles, auction]\nbots: [a, b, c]\n"
    assert read(text).games == ("pebbles", "auction")


@pytest.mark.usefixtures("small_games")
def test_an_opening_file_holds_a_setup_a_line(tmp_path: Path) -> None:
    """Empty lines, CRLF and a byte order mark do not count."""
    (tmp_path / "o.txt").write_bytes(b"\xef\xbb\xbf5 0,0,0 1\r\n\r\n9 0,0,0 2\n\n")
    text = "name: t\ngame: pebbles\nbots: [a, b, c]\nopening: {file: o.txt}\n"
    assert read(text, tmp_path).opening == Opening(setups=("5 0,0,0 1", "9 0,0,0 2"))


def test_a_file_with_byte_order_mark_and_crlf(tmp_path: Path) -> None:
    """A file written on another system reads the same."""
    file = tmp_path / "t.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + SHORTEST.replace("\n", "\r\n").encode())
    assert read_tournament(file) == read(SHORTEST)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder, a missing file, a device, a pipe, other encodings and too much are sentences."""
    (tmp_path / "good.yaml").write_text(SHORTEST)
    (tmp_path / "utf16.yaml").write_bytes(SHORTEST.encode("utf-16"))
    (tmp_path / "latin.yaml").write_bytes(b"a: b\nname: \xe9\n")
    (tmp_path / "large.yaml").write_bytes(b"#" * 300_000)
    os.mkfifo(tmp_path / "pipe")
    for name, message in (
        (".", "expected a file, found a folder"),
        ("god.yaml", r'there is no such file; did you mean "good\.yaml"\?'),
        ("no/such.yaml", "there is no such file"),
        ("good.yaml/x", "cannot be read: Not a directory"),
        ("utf16.yaml", "not UTF-8 at byte 0"),
        ("latin.yaml", r"latin\.yaml:2: not UTF-8 at byte 11"),
        ("large.yaml", "more than 262144 bytes"),
        ("pipe", "expected a file, found a pipe, a device or the like"),
        ("/dev/zero", "expected a file, found a pipe, a device or the like"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(TournamentFileError, match=message):
            read_tournament(tmp_path / name)


def test_a_file_without_permission(tmp_path: Path) -> None:
    """A file that may not be read is told so."""
    file = tmp_path / "t.yaml"
    file.write_text(SHORTEST)
    file.chmod(0)
    me = os.geteuid()
    if me == 0:  # to whom nothing is unreadable
        os.seteuid(65534)
    try:
        with pytest.raises(TournamentFileError, match="cannot be read: Permission denied"):
            read_tournament(file)
    finally:
        os.seteuid(me)


def test_what_most_commands_need_imports_no_yaml() -> None:
    """Comparing, clocks, formats and units are there without PyYAML and pydantic."""
    rooms = ("change", "clocks", "format_keys", "names", "supported", "units")
    code = (
        f"import sys, {', '.join(f'arena.tournament.{room}' for room in rooms)};"
        "assert not {'yaml', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_who_plays_by_patterns_and_who_is_out(tmp_path: Path) -> None:
    """``all`` and patterns are looked up later; whom ``without`` names is out from the start."""
    text = "name: t\ngame: leaves\nwithout: [oak]\nbots: "
    everybody = parse_tournament(text + "all", "t.yaml", tmp_path)
    assert [(bot.name, bot.ref, bot.is_pattern) for bot in everybody.bots] == [("all", "*", True)]
    assert everybody.without == ("oak",)
    some = parse_tournament(text + '["s*", {bot: "t?", memory: 2GiB}, oak]', "t.yaml", tmp_path)
    assert [bot.is_pattern for bot in some.bots] == [True, True, False]
    assert some.bots[1].memory_bytes == 2 << 30


def test_a_ladder_goes_on_to_its_stop_without_rounds() -> None:
    """Without a stop everybody has one block; with one, as many as it takes or as are given."""
    plain = with_line("format: ladder\nbatch: 5")
    assert (plain.rounds, plain.batch, plain.stop) == (1, 5, Stop())
    assert with_line("format: ladder").batch is None
    certain = with_line("format: ladder\nstop: {sigma: 1}")
    assert (certain.stop, certain.rounds) == (Stop(sigma=1.0), 100_000)
    assert with_line("format: ladder\nstop: {matches: 10}\nrounds: 3").rounds == 3
    assert with_line("format: ladder\nwithout: [random@2]").without == ("random@2",)


def test_a_sequential_test_plays_on_without_rounds() -> None:
    """Its numbers have defaults; how many blocks it may take at most is what `rounds` says."""
    usual = with_line("stop: {sprt: {}}")
    assert usual.stop == Stop(sprt=(0.0, 20.0, 0.05, 0.05))
    assert usual.rounds == 100_000
    limited = with_line("stop: {sprt: {elo0: -5, beta: 0.1}}\nrounds: 7")
    assert limited.stop == Stop(sprt=(-5.0, 20.0, 0.05, 0.1))
    assert limited.rounds == 7
