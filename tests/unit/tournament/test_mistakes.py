"""Mistakes in a tournament file: each is told with its place, what was found and expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import TournamentFileError
from arena.tournament.parse import parse_tournament

HEAD = "name: t\ngame: leaves\nbots: [random, greedy]\n"


def mistakes(text: str, folder: Path = Path()) -> list[str]:
    """Return what is told of a file, a line each."""
    with pytest.raises(TournamentFileError) as caught:
        parse_tournament(text, "t.yaml", folder)
    return str(caught.value).split("\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        # unknown keys
        ("ruonds: 3", '4:1: ruonds: unknown key; did you mean "rounds"?'),
        ("clock: {mvoe: 1s}", '4:9: clock.mvoe: unknown key; did you mean "move"?'),
        (
            "clock: {zzz: 1s}",
            "4:9: clock.zzz: unknown key; expected one of move, first, main, inc, margin, start",
        ),
        (
            "stop: {matches: 3, mtches: 4}",
            '4:20: stop.mtches: unknown key; did you mean "matches"?',
        ),
        # whole numbers
        ("rounds: ten", '4:9: rounds: expected a whole number, found "ten"'),
        ("rounds: 017", '4:9: rounds: expected a whole number, found "017"'),
        ("rounds: 1e3", "4:9: rounds: expected a whole number, found 1e3"),
        ("rounds: 2.0", "4:9: rounds: expected a whole number, found 2.0"),
        ('rounds: "3"', '4:9: rounds: expected a whole number, found "3"'),
        ("rounds: true", "4:9: rounds: expected a whole number, found true"),
        ("rounds:", "4:8: rounds: expected a whole number, found nothing"),
        ("rounds: [3]", "4:9: rounds: expected a whole number, found a list"),
        ("rounds: 0", "4:9: rounds: expected at least 1, found 0"),
        ("rounds: -1", "4:9: rounds: expected at least 1, found -1"),
        ("seed: -1", "4:7: seed: expected at least 0, found -1"),
        (
            "seed: 340282366920938463463374607431768211456",  # 2^128
            "4:7: seed: expected at most 340282366920938463463374607431768211455, "
            "found 340282366920938463463374607431768211456",
        ),
        ("seed: secrte", '4:7: seed: expected a whole number or secret, found "secrte"'),
        ("seed: true", "4:7: seed: expected a whole number or secret, found true"),
        ("seed: 1.0", "4:7: seed: expected a whole number or secret, found 1.0"),
        ("seed:", "4:6: seed: expected a whole number or secret, found nothing"),
        ("seed: [1]", "4:7: seed: expected a whole number or secret, found a list"),
        ("workers: 0", "4:10: workers: expected at least 1, found 0"),
        ("workers: 1000000", "4:10: workers: expected at most 4096, found 1000000"),
        ("max_faults: 0", "4:13: max_faults: expected at least 1, found 0"),
        ("max_decisions: 0", "4:16: max_decisions: expected at least 1, found 0"),
        ("opening: {plies: -1}", "4:18: opening.plies: expected at least 0, found -1"),
        # booleans and words
        ("ponder: no", '4:9: ponder: expected true or false, found "no"'),
        ("pin: 1", "4:6: pin: expected true or false, found 1"),
        (
            "processes: frsh",
            '4:12: processes: expected one of fresh, reuse, found "frsh"; did you mean "fresh"?',
        ),
        (
            "on_timeout: forfiet",
            '4:13: on_timeout: expected one of forfeit, published, found "forfiet"; '
            'did you mean "forfeit"?',
        ),
        ("durability: 3", "4:13: durability: expected one of normal, full, found 3"),
        # durations
        (
            "clock: {move: 1}",
            "4:15: clock.move: expected a duration with its unit (ms, s, m or h), "
            "like 1s or 500ms, found 1",
        ),
        (
            "clock: {move: 1:30}",
            "4:15: clock.move: expected a duration with its unit (ms, s, m or h), "
            'like 1s or 500ms, found "1:30"',
        ),
        (
            "clock: {move: .nan}",
            "4:15: clock.move: expected a duration with its unit (ms, s, m or h), "
            'like 1s or 500ms, found ".nan"',
        ),
        (
            "clock: {move: -1s}",
            "4:15: clock.move: expected a duration with its unit (ms, s, m or h), "
            'like 1s or 500ms, found "-1s"',
        ),
        (
            "clock: {move: 0s}",
            '4:15: clock.move: expected a duration from 1ms to 24h, found "0s"',
        ),
        (
            "clock: {main: 25h}",
            '4:15: clock.main: expected a duration from 1ms to 24h, found "25h"',
        ),
        ("clock: {move: 0.5ms}", '4:15: clock.move: "0.5ms" is no whole number of ms'),
        (
            "clock: {inc: 1s}",
            "4:14: clock.inc: inc adds to the time of a whole game; give main too",
        ),
        (
            "clock: 1s",
            "4:8: clock: expected a mapping of move, first, main, inc, margin, start, "
            'found "1s"',
        ),
        # sizes
        (
            "memory: 1GB",
            "4:9: memory: expected a size with its unit (KiB, MiB, GiB or TiB), "
            'like 512MiB, found "1GB"',
        ),
        ("memory: 1KiB", '4:9: memory: expected whole KiB from 1MiB to 16TiB, found "1KiB"'),
        (
            "memory: 1000",
            "4:9: memory: expected a size with its unit (KiB, MiB, GiB or TiB), "
            "like 512MiB, found 1000",
        ),
        # what this version cannot run
        ("stop: {sprt: {elo0: 20}}", "4:14: stop.sprt: expected elo0 below elo1, found 20 and 20"),
        ("stop: {sprt: {elo1: -1}}", "4:14: stop.sprt: expected elo0 below elo1, found 0 and -1"),
        ("stop: {sprt: {betta: 1}}", '4:15: stop.sprt.betta: unknown key; did you mean "beta"?'),
        ("stop: {sprt: {elo1: much}}", '4:21: stop.sprt.elo1: expected a number, found "much"'),
        ("stop: {sprt: {elo1: 1001}}", "4:21: stop.sprt.elo1: expected at most 1000.0, found 1001"),
        ("stop: {sprt: {alpha: 0}}", "4:22: stop.sprt.alpha: expected at least 1e-06, found 0"),
        ("stop: {sprt: {beta: 0.5}}", "4:21: stop.sprt.beta: expected at most 0.49, found 0.5"),
        ("stop: {sprt: {beta: .nan}}", "4:21: stop.sprt.beta: expected a number, found \".nan\""),
        ("stop: {sigma: 1.0}", "4:15: stop.sigma: only for the format ladder, found round-robin"),
        ("stop: {}", "4:7: stop: missing; expected matches or sigma or sprt here"),
        ("sandbox: jail", "4:10: sandbox: expected one of auto, bwrap, landlock, limits, none, "
         'found "jail"'),
        # openings
        ("opening: {}", "4:10: opening: missing; expected plies or file here"),
        ("opening: 2", "4:10: opening: expected a mapping of plies, file, found 2"),
        # games
        ("games: [leaves]", "4:8: games: expected only one of game or games, found game too"),
    ],
)  # fmt: skip
def test_one_mistake_is_one_line(line: str, told: str) -> None:
    """A file with one mistake is answered with just the line that tells it."""
    assert mistakes(HEAD + line + "\n") == [f"t.yaml:{told}"]


@pytest.mark.parametrize(
    ("games", "named"),
    [
        ("game: the_tree", "the_tree"),
        ("game: build_your_arboretum(advantage=1)", "build_your_arboretum(advantage=1)"),
        ("games: [leaves, the_tree, the_tree(players=1)]", "the_tree and the_tree(players=1)"),
    ],
)
def test_kept_processes_and_hidden_deals(games: str, named: str) -> None:
    """A process that is kept would meet a hidden deal again: that is refused, with its place."""
    head = f"name: t\n{games}\nbots: [random, greedy]\n"
    (told,) = mistakes(head + "processes: reuse\n")
    assert told.startswith(f"t.yaml:4:12: processes: reuse is not for {named}, where a deal is hid")
    assert "expected fresh" in told
    fresh = parse_tournament(head + "processes: fresh\n", "t.yaml", Path())
    assert fresh.processes == "fresh"


@pytest.mark.parametrize("game", ["leaves", "treeblox", "arborius", "the_tree(players=1,hand=36)"])
def test_kept_processes_and_open_deals(game: str) -> None:
    """Where everybody sees everything, a process may be kept."""
    text = f"name: t\ngame: {game}\nbots: [random, greedy]\nprocesses: reuse\n"
    assert parse_tournament(text, "t.yaml", Path()).processes == "reuse"


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ("[]", "3:7: bots: expected at least one bot, found none"),
        ("[a]", "3:7: bots: leaves needs 2 players, found 1 bot"),
        ("a", '3:7: bots: expected a list, found "a"'),
        ("", "3:6: bots: expected a list, found nothing"),
        (
            "[a, a]",
            '3:11: bots[1]: two entrants are called "a": bots[0] is too; give one of them a name: '
            "of its own",
        ),
        (
            "[Oak, {name: oak, bot: x}]",
            '3:20: bots[1].name: two entrants are called "oak": bots[0] is (as "Oak") too; '
            "give one of them a name: of its own",
        ),
        (
            "[a, 3]",
            "3:11: bots[1]: expected a bot's name or a mapping of "
            "name, run, bot, args, env, clock, memory, found 3",
        ),
        (
            "[a, {nme: b, bot: b}]",
            '3:12: bots[1].nme: unknown key; did you mean "name"?',
        ),
        ("[a, {name: b}]", "3:11: bots[1]: missing; expected run or bot here"),
        (
            "[a, {bot: b, args: [--sims, 200]}]",
            '3:35: bots[1].args[1]: expected a text, found 200; write it in quotes: "200"',
        ),
        (
            "[a, {bot: b, args: [1.50]}]",
            '3:27: bots[1].args[0]: expected a text, found 1.50; write it in quotes: "1.50"',
        ),
        (
            "[a, {bot: b, args: --sims}]",
            '3:26: bots[1].args: expected a list, found "--sims"',
        ),
        (
            "[a, {bot: b, env: {N: 1}}]",
            '3:29: bots[1].env.N: expected a text, found 1; write it in quotes: "1"',
        ),
        (
            "[a, {bot: b, env: {N=: x}}]",
            '3:26: bots[1].env.N=: expected the name of a variable, without "=", found "N="',
        ),
        (
            "[a, {bot: b, env: [N]}]",
            "3:25: bots[1].env: expected a mapping {KEY: TEXT}, found a list",
        ),
        (
            "[a, {bot: b, clock: {mvoe: 1s}}]",
            '3:28: bots[1].clock.mvoe: unknown key; did you mean "move"?',
        ),
        (
            "[a, {bot: b, clock: {inc: 1s}}]",
            "3:33: bots[1].clock.inc: inc adds to the time of a whole game; give main too",
        ),
        ("[a, {run: x.py, bot: b}]", "3:28: bots[1].bot: expected only one of run or bot, "
         "found run too"),
        ("[a, b@0]", "3:11: bots[1]: expected NAME or NAME@VERSION, with a version of 1 or more"),
        (
            "[a, bots/x.py]",
            "3:11: bots[1]: expected a bot's name; a file is given as "
            '{name: …, run: "bots/x.py"}',
        ),
        ("[a, {name: -b, bot: b}]", '3:18: bots[1].name: a name does not begin with "-"'),
    ],
)  # fmt: skip
def test_mistakes_about_bots(bots: str, told: str, tmp_path: Path) -> None:
    """Every mistake in ``bots`` names the bot by its place in the list."""
    (tmp_path / "x.py").touch()
    text = f"name: t\ngame: leaves\nbots: {bots}".rstrip() + "\n"
    assert mistakes(text, tmp_path) == [f"t.yaml:{told}"]


def test_a_missing_file_is_named_with_its_line(tmp_path: Path) -> None:
    """``run`` and ``opening.file`` must exist; the nearest name beside them is told."""
    (tmp_path / "oak.py").touch()
    text = (
        "name: t\ngame: leaves\nbots:\n  - random\n  - {name: a, run: oka.py}\n"
        "opening: {file: zzz/o.txt}\n"
    )
    first, second = mistakes(text, tmp_path)
    assert first == 't.yaml:5:20: bots[1].run: there is no "oka.py"; did you mean "oak.py"?'
    # a long path is cut, so only its beginning is compared
    assert second.startswith(
        f't.yaml:6:17: opening.file: there is no "zzz/o.txt"; looked for {str(tmp_path)[:30]}'
    )


def test_a_path_that_can_be_no_name_needs_one(tmp_path: Path) -> None:
    """A bot without a name whose path has a space is asked for a name."""
    (tmp_path / "my bot.py").touch()
    (line,) = mistakes("name: t\ngame: leaves\nbots: [a, {run: my bot.py}]\n", tmp_path)
    assert line.startswith("t.yaml:3:17: bots[1].run: give this bot a name")


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("game: leafs", '2:7: game: there is no game "leafs"; did you mean "leaves"?'),
        ("game: 3", '2:7: game: expected a game, like leaves or "leaves(tree=plus)", found 3'),
        ("games: []", "2:8: games: expected at least one game, found none"),
        ("games: leaves", '2:8: games: expected a list, found "leaves"'),
        ('games: [leaves, "leaves(tree=line)"]', "2:17: games[1]: leaves is listed twice"),
        ("rounds: 1", "1:1: missing; expected game or games"),
    ],
)
def test_mistakes_about_games(game: str, told: str) -> None:
    """An unknown game is told with the nearest one; the same game twice is one too many."""
    assert mistakes(f"name: t\n{game}\nbots: [a, b]\n") == [f"t.yaml:{told}"]


def test_parameters_are_told_by_the_engine() -> None:
    """What is wrong with a game's parameter stands in the engine's words."""
    (line,) = mistakes('name: t\ngame: "leaves(tree=plos)"\nbots: [a, b]\n')
    assert line.startswith("t.yaml:2:7: game: ")
    assert 'did you mean "plus"?' in line


@pytest.mark.parametrize("name", ["a b", "a#2", "a/b", "'2026 open'", '"\\e[2J"', "''"])
def test_mistakes_about_the_name(name: str) -> None:
    """A tournament's name follows the rules of names, and its marks are told escaped."""
    (line,) = mistakes(f"name: {name}\ngame: leaves\nbots: [a, b]\n")
    assert line.startswith("t.yaml:1:7: name: ")
    assert line.isprintable()


def test_a_sandbox_that_does_not_exist_is_refused() -> None:
    """A level of isolation that nobody knows is answered with the nearest there is."""
    (line,) = mistakes(HEAD + "sandbox: bwarp\n")
    assert 'sandbox: expected one of auto, bwrap, landlock, limits, none, found "bwarp"' in line
    assert 'did you mean "bwrap"' in line


def test_a_format_that_cannot_run_is_refused() -> None:
    """A format is one that has a module; the others are answered with those there are."""
    (line,) = mistakes(HEAD + "format: round-robbin\n")
    assert 't.yaml:4:9: format: there is no format "round-robbin"; there are: ' in line
    assert "round-robin" in line


@pytest.mark.parametrize(
    ("keys", "path", "word"),
    [
        ("format: knockout\nrounds: 3", "rounds", "blocks"),
        ("format: swiss\nstop: {matches: 4}", "stop", "rounds"),
        ("challengers: 1", "challengers", "round-robin"),
        ("format: gauntlet\nblocks: 2", "blocks", "challengers"),
        ("format: swiss\nseeding: other", "seeding", "swiss"),
        ("format: knockout\nseeding: t", "seeding", "another"),
        ("format: gauntlet\nchallengers: 2", "bots", "challengers"),
        ("format: gauntlet\nchallengers: 0", "challengers", "1"),
        ("format: ladder\nblocks: 2", "blocks", "batch"),
        ("format: ladder\nbatch: 0", "batch", "1"),
        ("format: ladder\nstop: {sigma: 0}", "stop.sigma", "0.01"),
        ("format: ladder\nstop: {sprt: {}}", "stop.sprt", "compare"),
        ("format: swiss\nbatch: 4", "batch", "rounds"),
        ("format: ladder\nwithout: [mcts@2]", "without[0]", "entrant"),
    ],
)
def test_keys_that_a_format_does_not_take_are_refused(keys: str, path: str, word: str) -> None:
    """What a key would mean for another format is never ignored; the message names what goes."""
    (line,) = mistakes(HEAD + keys + "\n")
    assert f" {path}: " in line
    assert word in line


@pytest.mark.parametrize("format_", ["swiss", "knockout"])
def test_formats_for_two_refuse_games_for_more(format_: str) -> None:
    """A game for three is refused with the formats that play it."""
    text = "name: t\ngame: the_tree(players=3)\nbots: [a, b, c]\n"
    (line,) = mistakes(text + f"format: {format_}\n")
    assert " format: " in line
    assert "gauntlet" in line


@pytest.mark.parametrize("format_", ["gauntlet", "ladder"])
def test_some_formats_are_for_two_and_more(format_: str) -> None:
    """In a game for one nobody meets anybody."""
    text = f"name: t\ngame: the_tree(players=1)\nbots: [a, b]\nformat: {format_}\n"
    (line,) = mistakes(text)
    assert " format: " in line
    assert "round-robin" in line


def test_games_of_a_ladder_are_for_equally_many() -> None:
    """Those who meet play all of its games; what they are for is named."""
    text = "name: t\ngames: [leaves, the_tree(players=3)]\nbots: [a, b, c]\nformat: ladder\n"
    (line,) = mistakes(text)
    assert " games: " in line
    assert "leaves for 2 and the_tree(players=3) for 3" in line


def test_a_gauntlet_for_three_needs_two_beside_the_challengers() -> None:
    """Each challenger meets two of the rest, and so two there must be."""
    text = "name: t\ngame: the_tree(players=3)\nbots: [a, b, c]\nformat: gauntlet\n"
    (line,) = mistakes(text + "challengers: 2\n")
    assert " bots: " in line


@pytest.mark.usefixtures("small_games")
def test_setups_are_checked(tmp_path: Path) -> None:
    """Each line of an opening file that no match can begin with is told with its number."""
    (tmp_path / "o.txt").write_text("9 0,0,0 0\nnonsense\n0 9,0,0 -\n")
    text = "name: t\ngame: pebbles\nbots: [a, b, c]\nopening: {file: o.txt}\n"
    first, second = mistakes(text, tmp_path)
    start = f"t.yaml:4:17: opening.file: {tmp_path}/o.txt"
    assert first.startswith(f"{start}:2: ")
    assert second == f"{start}:3: the game is over there"


def test_an_opening_file_is_for_one_game(tmp_path: Path) -> None:
    """With several games a file of setups cannot fit all of them."""
    (tmp_path / "o.txt").touch()
    text = 'name: t\ngames: [leaves, "leaves(tree=u)"]\nbots: [a, b]\nopening: {file: o.txt}\n'
    assert mistakes(text, tmp_path) == [
        "t.yaml:4:17: opening.file: a file of setups is for one game, and here are several games"
    ]


def test_an_empty_opening_file_is_refused(tmp_path: Path) -> None:
    """A file without a setup is no opening."""
    (tmp_path / "o.txt").write_text("\n \n")
    (line,) = mistakes(HEAD + "opening: {file: o.txt}\n", tmp_path)
    assert line.endswith("o.txt: expected a setup a line, found none")


def test_more_matches_than_can_be_played_are_counted() -> None:
    """A schedule of 2 * 10^12 matches is refused with its number, at once."""
    assert mistakes(HEAD + "rounds: 1000000000000\n") == [
        "t.yaml:4:9: rounds: that makes 2,000,000,000,000 matches or more; "
        "at most 1,000,000,000 can be played"
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "1:1: expected a mapping with name, game and bots, found nothing"),
        ("- a\n", "1:1: expected a mapping with name, game and bots, found something else"),
        ("hello\n", "1:1: expected a mapping with name, game and bots, found something else"),
    ],
)
def test_a_file_that_is_something_else(text: str, told: str) -> None:
    """An empty file and one that is no mapping are told what is expected."""
    assert mistakes(text) == [f"t.yaml:{told}"]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    """Types, ranges, words, near misses and what concerns several keys stand in one list."""
    text = """\
ganes: [leaves]
rounds: 0
bots:
  - random
  - {nme: x, bot: greedy, args: [1], clock: {mvoe: 1s, move: fast}}
  - random
rounds: 2
clock: {inc: 1s}
sandbox: bwrapp
"""
    assert [line.partition(": ")[0] for line in mistakes(text)] == [
        "t.yaml:1:1",
        "t.yaml:1:1",
        "t.yaml:1:1",
        "t.yaml:5:6",
        "t.yaml:5:34",
        "t.yaml:5:46",
        "t.yaml:5:62",
        "t.yaml:6:5",
        "t.yaml:7:1",
        "t.yaml:8:14",
        "t.yaml:9:10",
    ]


def test_the_list_of_mistakes_is_bounded() -> None:
    """Of a thousand mistakes fifty are told, and the number of the others."""
    text = HEAD + "".join(f"x{number}: 1\n" for number in range(1000))
    told = mistakes(text)
    assert len(told) == 51
    assert told[-1] == "t.yaml: and 950 more mistakes"


class TestWhoPlays:
    """Patterns of names, and who is taken out."""

    @pytest.mark.parametrize(
        ("bots", "told"),
        [
            ('["s*@2"]', "3:8: bots[0]: a pattern of names has no version"),
            ('[{name: x, bot: "s*"}]', "3:15: bots[0].name: a pattern of names means several bots"),
            ("al", '3:7: bots: expected a list, found "al"'),
        ],
    )
    def test_patterns(self, bots: str, told: str) -> None:
        """A pattern has no version and no name of its own."""
        (line,) = mistakes(f"name: t\ngame: leaves\nbots: {bots}\n")
        assert line.startswith(f"t.yaml:{told}")

    @pytest.mark.parametrize(
        ("without", "told"),
        [
            ("[rndom]", '4:11: without[0]: no entrant is called "rndom"; did you mean "random"?'),
            ("[greedy, zzz]", '4:19: without[1]: no entrant is called "zzz"; there are random'),
            ("random", '4:10: without: expected a list, found "random"'),
            ("[3]", "4:11: without[0]: expected a text, found 3"),
        ],
    )
    def test_without(self, without: str, told: str) -> None:
        """Who is taken out is one of the bots."""
        (line,) = mistakes(f"{HEAD}without: {without}\n")
        assert line.startswith(f"t.yaml:{told}")


@pytest.mark.parametrize("how", ["format: compare", "stop: {sprt: {}}"])
def test_a_comparison_is_of_as_many_bots_as_meet(how: str) -> None:
    """One bot against those that fill the other seats, in one game."""
    three = "name: t\ngame: leaves\nbots: [random, greedy, mcts]\n"
    (line,) = mistakes(three + how)
    assert line.startswith("t.yaml:3:7: bots: ")
    assert "leaves takes 2 bots, found 3" in line
    two = "name: t\ngames: [leaves, treeblox]\nbots: [random, greedy]\n"
    (line,) = mistakes(two + how)
    assert line.startswith("t.yaml:2:8: games: ")
    alone = 'name: t\ngame: "the_tree(players=1)"\nbots: [random]\n'
    (line,) = mistakes(alone + how)
    assert "nobody to compare" in line
