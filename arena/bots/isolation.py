"""At which level the bots of a tournament run, and whether they may at all.

The arena takes the strongest level that works on this machine. If that is too weak for untrusted
bots it refuses them, unless somebody names the level or allows what is unsafe.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from arena.bots.bundled import imported_bots
from arena.bots.find import parse_ref
from arena.bots.taken import is_ours
from arena.isolation.choose import choose_level, problem_with
from arena.sandbox import AUTO, find_level
from arena.store.bots import Bots
from arena.values.errors import UsageError
from arena.values.model import BotEntry
from arena.values.untrusted import show

CONSENT = 'run it with --allow-unsafe if you trust every bot, or name a level: "sandbox: limits"'


def level_for(
    wanted: str,
    untrusted: Sequence[str],
    *,
    allow_unsafe: bool = False,
    remedy: str = CONSENT,
) -> str:
    """Return the level at which bots are built and run.

    Args:
        wanted: a level's name, or ``auto``.
        untrusted: those of them that are to be isolated.
        allow_unsafe: run untrusted bots although nothing isolates them.
        remedy: what somebody may do who trusts them.

    Raises:
        UsageError: the level does not work here, or ``auto`` finds none that is fit for them.
    """
    level = choose_level(wanted)
    if not untrusted or wanted != AUTO or allow_unsafe or find_level(level).isolates:
        return level
    more = f" and {len(untrusted) - 1} more" if len(untrusted) > 1 else ""
    why = "".join(
        f"\n  {name}: {problem.reason}; {problem.remedy}"
        for name in ("bwrap", "landlock")
        if (problem := problem_with(name)) is not None
    )
    raise UsageError(
        f'"{untrusted[0]}"{more} did not come with the arena, and this machine cannot isolate bots '
        f"(see arena doctor):{why}\n{remedy}"
    )


def must_isolate(
    wanted: str, untrusted: Sequence[str], open_to_bots: str = "", *, allow_unsafe: bool = False
) -> bool:
    """Return whether the hosts of a cluster must isolate the bots of a tournament.

    Args:
        wanted: a level's name, or ``auto``, which is another one on each host.
        untrusted: who did not come with the arena.
        open_to_bots: the address of a scheduler without TLS; empty if it has TLS. Bots
            without isolation can connect to it, and run programs as the user who started it.
        allow_unsafe: run untrusted bots although nothing isolates them.

    Raises:
        UsageError: untrusted bots could reach such a scheduler.
    """
    if untrusted and open_to_bots and wanted != AUTO and not find_level(wanted).isolates:
        raise UsageError(
            f'"{untrusted[0]}" did not come with the arena, and at the level "{wanted}" it could '
            f"connect to the scheduler at {open_to_bots}, and run programs as you: use a scheduler "
            "with TLS (tls://HOST:PORT), or --cluster local:N; or isolate bots, by --sandbox auto"
        )
    return bool(untrusted) and wanted == AUTO and (bool(open_to_bots) or not allow_unsafe)


def refuse_foreign(programs: Iterable[tuple[str, str]], sandbox: str, of: str) -> None:
    """Raise ``UsageError`` if programs of another machine would play without isolation.

    Args:
        programs: what each is called, and its hash.
        sandbox: a level's name, which is consent to it, or ``auto``.
        of: whose bots they are, for the message.
    """
    foreign = [show(name) for name, digest in sorted(programs) if not is_ours(name, digest)]
    remedy = f"if you trust every bot of {of}, name a level: --sandbox limits"
    level_for(sandbox, foreign, remedy=remedy)


def untrusted_among(
    entries: Iterable[BotEntry], store_bots: Bots, imported: Collection[str] = ()
) -> list[str]:
    """Return the names of the bots that have to run isolated.

    Args:
        entries: who takes part; nothing of them is looked at but where they come from.
        store_bots: where submitted bots are looked up.
        imported: the names of entrants whose programs came from another machine, whatever their
            lines say.
    """
    brought = {one.name for one in imported_bots(store_bots)}
    found = []
    for entry in entries:
        name = "" if entry.ref is None else parse_ref(entry.ref)[0]
        bundled = name and name not in brought and not store_bots.versions(name)
        ours = bundled and entry.name not in imported
        if not (ours or entry.asks or entry.version is not None):
            found.append(entry.name)
    return found
