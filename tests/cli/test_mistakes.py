"""Mistakes of people who type a command: exit code 2, a sentence that helps, and nothing made."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import ROOT, refused

# a line as typed after ``arena``, and words of what is said of it
MISTAKES = [
    ("run", "expected FILE"),
    ("run cup.yaml --game leaves", "FILE and --game"),
    ("run --game leaves", "--game needs --bots"),
    ("run nowhere.yaml", "nowhere.yaml"),
    ("help nothing", "no command or page"),
    ("help run nothing", "no command or page"),
    ("help leaderbord", '"leaderboard"'),
    ("help the_tree", "arena games the_tree"),
    ("help course", "run-a-course-tournament"),
    ("plya", 'did you mean "play"?'),
    ("show 1ac9 --html -", 'found "-"'),
    ("show ffff", "no arena home"),
    ("leaderboard nothing", "no arena home"),
    ("matches --by tiem", 'did you mean "time"?'),
    ("new tournament x.yaml --game leavs", '"leaves"'),
    ("new tournament x.yaml --game leaves --bots gredy", '"greedy"'),
    ("new tournament x.yaml --game leaves --bots ./elm", "elm: there is no"),
    ("play leaves gredy random", 'did you mean "greedy"?'),
    ("play leaves random", "is for 2 players"),
    ("submit nowhere.py --name x", "nowhere.py"),
    (f"submit {ROOT}/bots/random_python --name random", "bundled"),
    ("perft leafs 1", 'did you mean "leaves"?'),
    ("perft leaves(tree=oak) 1", "expected one of line, plus, u"),
    ("perft leaves -1", "-1"),
    ("perft leaves 1 --setup x", "expected 5 fields"),
    ("games --decks my.decks", "--decks needs GAME"),
    (f"games leaves --decks {ROOT}/pyproject.toml", "leaves is played without decks"),
    ("games arborius --decks nowhere.decks", "nowhere.decks: there is no such file"),
    (f"games arborius --decks {ROOT}/LICENSE", 'LICENSE:1: expected "tile ..." or "deck ..."'),
    ("init random", "bundled"),
    ("init human", "keyboard"),
    ("init ../oak", "NAME"),
    ("init oak.py", "suffix"),
    ("init oak --language pyton", '"python"'),
    ("init oak --language ../kit/c", "no kit"),
    ("init oak --game leafs", '"leaves"'),
    ("balance leafs", "leaves"),
    ("balance leaves leaves(tree=line)", "twice"),
    ("balance leaves --bots random,random", "twice"),
    ("balance leaves --bots randon", "random"),
    ("balance leaves --bots random,", "bot"),
    ("balance leaves --rounds 0", "x>=1"),
    ("balance leaves --sandbox nowhere", "bwrap"),
    ("balance", "GAME"),
    ("compare greedy random leaves --elo1 0", "elo0 below elo1"),
    ("compare greedy random leaves --alpha 0.7", "alpha"),
    ("compare greedy random leaves --elo1 nan", "elo1"),
    ("compare greedy random leaves --rounds 3 --elo1 9", "--elo1"),
    ("compare greedy random leaves --rounds 0", "--rounds"),
    ("compare greedy random leaves --plies 2 --opening x", "one of them"),
    ("compare greedy random leaves --memory 1", "size"),
    ("compare greedy random leaves --name a/b", "name"),
    ("compare greedy nobody leaves", "nobody"),
    ("compare greedy random the_tree(players=1)", "nobody to compare"),
    ("compare greedy random leafs", "leaves"),
    ("compare greedy random leaves --clock move=fast", "duration"),
    ("cluster worker tcp://192.0.2.7:8786", "--insecure"),
    ("cluster worker tls://lab-01:8786", "arena cluster certificates"),
    ("cluster worker local:2", "local:2"),
    ("cluster worker 127.0.0.1:8786", "tls://127.0.0.1:8786"),
    ("cluster worker tcp://127.0.0.1:8786 --sandbox bwrp", "bwrap"),
    ("cluster worker tcp://127.0.0.1:8786 --workers 0", "--workers"),
    *[
        (f"cluster worker tcp://127.0.0.1:8786 --workers 2 --port {ports}", "4 ports")
        for ports in ("9000", "9000:9002", "9003:9000", "0:9", "65533:65536", "9000:99999999999")
    ],
]


@pytest.mark.parametrize(("line", "said"), MISTAKES)
def test_mistake_is_refused(tmp_path: Path, line: str, said: str) -> None:
    """A mistake in a command has exit code 2 and a sentence that helps; nothing is made."""
    assert said in refused(tmp_path / "home", *line.split(), cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
