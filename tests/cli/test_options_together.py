"""Options that do not go together are refused by name, and none is ignored without a word."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from support.arena_command import arena, refused

from arena.cli.options import Rule
from docs.generate.cli_page import contexts

VALUES = {"--clock": "move=1s", "--sandbox": "none", "--matches": "-", "--by": "time"}
VALUES |= {"--columns": "elo", "--since": "2h", "--anchor": "greedy=1500"}


def rules() -> Iterator[tuple[click.Context, Rule]]:
    for context in contexts():
        for rule in getattr(context.command.callback, "rules", ()):
            yield context, rule


def typed(context: click.Context, *names: str) -> str:
    """Return a command line with these options and arguments, and the arguments that it needs."""
    words = context.command_path.split()[1:]
    for param in context.command.params:
        if isinstance(param, click.Argument) and (
            param.required or param.human_readable_name in names
        ):
            words.append("1")
    for param in context.command.params:
        for name in set(param.opts) & set(names):
            words.append(name)
            if isinstance(param, click.Option) and not param.is_flag:
                choices = getattr(param.type, "choices", ["1"])
                words.append(VALUES.get(name, choices[-1]))
    return " ".join(words)


PAIRS = [(ctx, r.option, other) for ctx, r in rules() if not r.together for other in r.others]
REFUSED = [
    *((typed(*pair), f"{pair[1]} and {pair[2]}: expected one of them") for pair in PAIRS),
    *(
        (typed(context, rule.option), f"{rule.option} needs {' or '.join(rule.others)}")
        for context, rule in rules()
        if rule.together
    ),
]


@pytest.mark.parametrize(("line", "said"), REFUSED)
def test_option_conflict_is_refused(line: str, said: str, tmp_path: Path) -> None:
    """Options that exclude each other, or one that needs another, have exit code 2, and names."""
    done = refused(tmp_path, *line.split(), cwd=tmp_path)
    assert said in done
    assert done.startswith("Usage: ")
    assert list(tmp_path.iterdir()) == []


def test_rules_of_options_name_existing_options() -> None:
    """Every rule names options of its command, and no pair is declared twice."""
    for context, rule in rules():
        names = {*itertools.chain(*(param.opts for param in context.command.params))}
        names |= {param.human_readable_name for param in context.command.params}
        assert {rule.option, *rule.others} <= names, context.command_path
    pairs = [(context.command_path, frozenset(names)) for context, *names in PAIRS]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize(
    "line",
    [
        "show M --json --at 999",
        "show M --html x.html --color always",
        "play leaves greedy random --json --log",
        "leaderboard --crosstable --columns bot",
        "leaderboard --bracket --times",
        "leaderboard --columns bot --times",
        "leaderboard --json --format csv",
        "verify M --sandbox limits",
        "verify M --seed 1",
        "export t --all",
        "run t.yaml --new --extend",
        "run t.yaml --certificates d",
        "run t.yaml --dry-run --quiet",
        "doctor --certificates d",
    ],
)
def test_option_without_effect_is_refused(line: str, tmp_path: Path) -> None:
    """An option that would have no effect has exit code 2, and its name is in the message."""
    words = line.split()
    done = refused(tmp_path, *words, cwd=tmp_path)
    assert any(word in done.split("Error:")[1] for word in words if word.startswith("--"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    [
        "leaderboard --since foo",
        "matches --since foo",
        "matches --by foo",
        "run t.yaml --sandbox foo",
        "play leaves random random --clock foo",
        "report -o s --pages foo",
        "bundle foo",
        "tournaments foo",
        "foo",
    ],
)
def test_unreadable_value_is_refused_everywhere(line: str, tmp_path: Path) -> None:
    """A value that no option can read is refused the same way in every command."""
    done = refused(tmp_path, *line.split(), cwd=tmp_path)
    assert done.startswith("Usage: arena ")
    assert '"foo"' in done.split("Error: ")[1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    [
        "leaderboard --format json",
        "leaderboard --json",
        "verify --ratings",
        "bots --json greedy",
        "export --all",
    ],
)
def test_compatible_options_are_accepted(line: str, tmp_path: Path) -> None:
    """An option alone, or beside defaults, is no usage error."""
    assert "Usage: " not in arena(tmp_path, *line.split(), cwd=tmp_path).stderr
