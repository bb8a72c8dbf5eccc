"""The checks as a command, where nothing but ``engines`` is installed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from engines.core.conformance import broken_promise, chosen
from engines.core.errors import EngineError


def main(arguments: Sequence[str] | None = None) -> int:
    """Check games and report: 0 if they keep their promises, 1 if not, 2 if there is none such."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.core.conformance",
        description="Check that an engine keeps what the interface promises.",
    )
    parser.add_argument("game", help='a game, e.g. "leaves(tree=plus)"')
    parser.add_argument(
        "--variants", action="store_true", help="check all combinations of parameters worth it"
    )
    parser.add_argument("--games", type=int, default=10, help="random games to play (10)")
    parser.add_argument("--seconds", type=float, help="after that, leave out what is left")
    parser.add_argument("--max-length", type=int, help="the most actions of a game")
    options = parser.parse_args(arguments)
    try:
        for name in chosen(options.game, every_variant=options.variants):
            found = broken_promise(
                name,
                seeds=range(options.games),
                max_length=options.max_length,
                seconds=options.seconds,
            )
            if found:
                print(found)
                return 1
            print(f"{name} keeps its promises", flush=True)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
