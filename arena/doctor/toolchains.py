"""The programming languages: which can be built and started here, as bots will be."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.bots.probe import probe_language
from arena.doctor.finding import Finding, State
from arena.process.languages import Language
from arena.sandbox import Problem

__all__ = ["toolchain_findings"]

NEEDED = "python"  # the arena's own: without it nothing works

Probe = Callable[[Language, str], Problem | None]


def toolchain_findings(
    languages: Iterable[Language], level: str, probe: Probe = probe_language
) -> tuple[Finding, ...]:
    """Return, for each language, whether its smallest program works.

    Args:
        languages: the languages.
        level: the isolation level at which bots are built and run.
        probe: tries a language at a level; returns what is wrong, ``None`` if nothing is.
    """
    return tuple(_finding(language, level, probe) for language in languages)


def _finding(language: Language, level: str, probe: Probe) -> Finding:
    topic = f"language {language.name}"
    problem = probe(language, level)
    data = {"language": language.name, "level": level, "works": problem is None}
    if problem is None:
        return Finding(topic, State.GREEN, f"works at level {level}", data=data)
    state = State.RED if language.name == NEEDED else State.YELLOW
    if problem.remedy:
        return Finding(topic, state, problem.reason, problem.remedy, data)
    if level != "none" and probe(language, "none") is None:
        return Finding(
            topic,
            state,
            f"works, but not at level {level}: {problem.reason}",
            f"install {language.install} for the whole system: what lies in a person's own folder "
            "may be out of a bot's sight",
            data,
        )
    return Finding(topic, state, problem.reason, f"install {language.install} again", data)
