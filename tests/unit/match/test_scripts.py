"""Every row of the table is a whole match: what bots write → what they are sent, and the record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.scripted_match import play_row

FOLDER = Path(__file__).parent
Row = dict[str, Any]


def rows() -> Iterator[Row]:
    """Yield all rows, those of ``verdicts.yaml`` for every act at every node."""
    for path in sorted(FOLDER.glob("*.yaml")):
        data = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)
        if path.stem == "verdicts":
            for node in data["nodes"]:
                yield from (fall(node, act) for act in data["faults"])
                yield from (stay(node, act) for act in data["harmless"])
        else:
            yield from ({**row, "row": f"{path.stem}: {row['row']}"} for row in data["rows"])


def fall(node: Row, act: Row) -> Row:
    """Return the row of a player who does what costs the match."""
    who, code = node["who"], act["code"]
    n = len(str(node["falls"]["ranks"]).split())
    seen_off = [f"{who} > bad {code} …"] * (code != "resign")
    seen_off += [f"{who} > end ID rank={n}/{n} by={code}"]
    outcome = {k: str(v).replace("CODE", code) for k, v in node["falls"].items()}
    fault = "" if code == "resign" else f"{who} {code} {node['decision']}"
    return {
        **common(node, f"{act['act']} is {code}"),
        **{key: value for key, value in outcome.items() if key not in ("rest", "scores")},
        "scores": "" if outcome["by"] != "rules" else outcome["scores"],
        "script": "\n".join([node["before"], *does(node, act), *seen_off, outcome["rest"]]),
        "faults": fault,
        "words": act.get("words", []),
        **{key: act[key] for key in act.keys() & {"cause"}},
    }


def stay(node: Row, act: Row) -> Row:
    """Return the row of a player who does what costs nothing, and then answers."""
    who = node["who"]
    answer = act.get("answer", "play {action} {d}")
    script = [node["before"], *does(node, act), *does(node, {"does": [f"< {answer}"]})]
    script += [f"{who} : {words}" for words in act.get("logged", ())]
    outcome = {key: value for key, value in node["stays"].items() if key != "rest"}
    if info := act.get("info"):
        outcome["record"] = outcome["record"].replace(" HERE", f" {info}")
    outcome["record"] = outcome["record"].replace(" HERE", "")
    return {
        **common(node, f"{act['act']} costs nothing"),
        **outcome,
        "script": "\n".join([*script, node["stays"]["rest"]]),
    }


def common(node: Row, title: str) -> Row:
    kept: Row = {key: node[key] for key in ("game", "setup") if key in node}
    return {**kept, "row": f"verdicts: {node['node']}: {title}"}


def does(node: Row, act: Row) -> list[str]:
    """Return an act's steps at a node: who acts, by which action, at which decision."""
    number = str(node["decision"])
    return [
        f"{node['who']} {step}".replace("{action}", node["action"]).replace("{d}", number)
        for step in act["does"]
    ]


ROWS = list(rows())
GROUPS = sorted({row["row"].rpartition(": ")[0] for row in ROWS})


@pytest.mark.usefixtures("small_games")  # so that records of them can be replayed
@pytest.mark.parametrize("straight", [False, True], ids=["general", "straight"])
@pytest.mark.parametrize("group", GROUPS)
def test_scripted_match_ends_as_row_says(group: str, straight: bool) -> None:
    """A match of scripted bots sends the lines, and ends with the record, that its row says."""
    wrong = []
    for row in ROWS:
        if row["row"].rpartition(": ")[0] == group:
            try:
                play_row(row, straight=straight)
            except AssertionError as error:
                wrong.append(f"{row['row']}: {error}")
    assert not wrong, "\n" + "\n\n".join(wrong)
