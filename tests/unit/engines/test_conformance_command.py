"""``python -m engines.core.conformance``: what it says of games, good and broken."""

from __future__ import annotations

import pytest
from support.ran import PYTHON, printed, ran
from support.small_games import PebblesState

from engines.core.conformance.__main__ import main


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command; its exit code, and what it wrote to stdout and stderr."""
    code = main(arguments)
    return (code, *capsys.readouterr())


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
def test_good_game_passes_with_variants(capsys: pytest.CaptureFixture[str]) -> None:
    """``--variants`` checks and names each variant of a good game."""
    code, out, _ = said(capsys, "draws", "--variants", "--games", "2")
    assert code == 0
    assert [line.split(" ")[0] for line in out.splitlines()] == ["draws", "draws(players=3)"]


def test_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that is not there, or a bad parameter, is refused with a near miss."""
    code, out, err = said(capsys, "leavs")
    assert (code, out) == (2, "")
    assert 'did you mean "leaves"' in err
    code, out, err = said(capsys, "leaves(tree=x)", "--variants")
    assert (code, out) == (2, "")
    assert "tree=x" in err


@pytest.mark.slow
def test_module_is_command() -> None:
    """``python -m engines.core.conformance`` checks a game, and its exit code says the result."""
    command = (PYTHON, "-m", "engines.core.conformance")
    assert printed(*command, "connect_four") == "connect_four keeps its promises\n"
    done = ran(*command, "nonexist")
    assert (done.returncode, done.stdout) == (2, "")
    assert '"nonexist"' in done.stderr


@pytest.mark.usefixtures("small_games")
def test_the_report_is_the_same_every_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken game is reported in the same words by every run."""
    monkeypatch.setattr(PebblesState, "sample_action", lambda self, player, rng: int("oak"))
    found = said(capsys, "pebbles")
    assert "ValueError: invalid literal" in found[1]
    assert found == said(capsys, "pebbles")
