"""The kits, changed as the author of a bot would change them."""

from __future__ import annotations

from pathlib import Path

from arena.bots.new_bot import kit_file, kit_languages

KITS = kit_languages()
# where `choose` has its action, with the blanks before it
CHOOSES = {
    "awk": "    return legal[",
    "c": "    return match.legal[",
    "cpp": "    return match.legal[",
    "go": "\treturn match.legal[",
    "java": "        return match.legal.get(",
    "javascript": "  return match.legal[",
    "python": "    return match.legal[int(",
    "rust": "    now.legal[now.random",
    "shell": "    random $#",
}
WANT = "obs,legal"


def changed_kit(language: str, folder: Path, *, first: str = "", want: str = WANT) -> Path:
    """Write the kit of a language into a folder; return the file.

    Args:
        language: the language.
        folder: where it is written.
        first: a statement to run before ``choose`` chooses.
        want: what it wants to be sent.
    """
    kit = kit_file(language)
    text = kit.read_text(encoding="utf-8")
    chooses = CHOOSES[language]
    assert (text.count(chooses), text.count(WANT)) == (1, 1)
    indent = chooses[: -len(chooses.lstrip())]
    text = text.replace(chooses, f"{indent}{first}\n{chooses}").replace(WANT, want)
    path = folder / kit.name
    path.write_text(text, encoding="utf-8")
    return path
