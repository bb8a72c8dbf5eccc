"""The programming languages: which can be built and started here, as bots will be."""

from __future__ import annotations

from arena.bots.probe import probe_language
from arena.doctor.finding import Finding
from arena.process.languages.interface import Language

NEEDED = "python"  # the arena's own: without it nothing works


def toolchain_finding(language: Language, level: str) -> Finding:
    """Return whether the smallest program of a language works at the level at which bots run."""
    topic = f"language {language.name}"
    problem = probe_language(language, level)
    data = {"language": language.name, "level": level, "works": problem is None}
    if problem is None:
        return Finding(topic, f"works at level {level}", data)
    what, remedy = problem.reason, problem.remedy or f"install {language.install}"
    works = not problem.remedy and level != "none" and probe_language(language, "none") is None
    if works or "rustup" in what:  # which keeps its compilers in a person's own folder
        remedy += (
            " for the whole system: what lies in a person's own folder may be out of a bot's sight"
        )
    what = "; ".join(line.strip() for line in what.splitlines())
    what = f"works, but not at level {level}: {what}" if works else what
    return Finding(topic, what, data, remedy, red=language.name == NEEDED)
