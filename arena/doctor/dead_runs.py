"""What dead runs left behind, as a finding."""

from __future__ import annotations

from collections.abc import Sequence

from arena.doctor.finding import Finding
from arena.process.leftovers import Leftover

SHOWN = 10


def leftover_finding(found: Sequence[Leftover], swept: Sequence[Leftover] | None) -> Finding:
    """Return what was left behind, and what became of it.

    Args:
        found: what is there now.
        swept: what was ended or removed; ``None`` if that was not asked for.
    """
    data = {
        "found": [_data(one) for one in found],
        "swept": None if swept is None else [_data(one) for one in swept],
    }
    what = f"of dead runs: {len(found)}" if found else "nothing"
    if swept:
        what += f"; swept: {len(swept)} ({'; '.join(map(_named, swept[:SHOWN]))})"
    remedy = "what cannot be ended now may need a reboot" if found else ""
    if found and swept is None:
        names = map(_named, found[:SHOWN])
        remedy = "\n".join(["arena doctor --sweep ends and removes exactly these:", *names])
    return Finding("leftovers", what, data, remedy)


def _data(one: Leftover) -> dict[str, object]:
    return {"pid": one.pid or None, "what": one.what}


def _named(one: Leftover) -> str:
    return f"process {one.pid} {one.what}" if one.pid else one.what
