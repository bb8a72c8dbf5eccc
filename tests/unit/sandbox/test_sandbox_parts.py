"""Tests of what the levels share: what others can reach, where engines is, what is counted."""

from __future__ import annotations

import errno
import marshal
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from support.told import told

from arena.process.launcher import _request
from arena.sandbox.confine import LENGTH_BYTES, WORD_BYTES
from arena.sandbox.diagnosis import explain
from arena.sandbox.importable import import_folder
from arena.sandbox.interface import Launch, Orders
from arena.sandbox.visible import ClosedToOthers, check_open, closed_at
from arena.values.errors import Lack
from arena.values.model import Import


def test_path_below_closed_folder_is_closed(tmp_path: Path) -> None:
    """A path is open to all only if each folder above can be passed and it can be read."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        base = Path(name)
        base.chmod(0o755)
        file = base / "inner" / "file"
        file.parent.mkdir()
        file.parent.chmod(0o711)
        file.write_text("")
        file.chmod(0o644)
        check_open([str(file)])
        assert closed_at(str(file)) == ""
        assert closed_at(str(file.parent)) == str(file.parent)  # it can be passed, and not listed
        file.chmod(0o640)
        assert closed_at(str(file)) == str(file)
        file.chmod(0o644)
        base.chmod(0o750)
        assert closed_at(str(file)) == str(base)
        said = told(ClosedToOthers, check_open, ["/usr", str(file)])
        for part in (f'"{file}"', f'"{base}"', f"chmod o+x {base}", "bwrap"):
            assert part in said
        assert closed_at("/usr/missing") == ""


def test_missing_engines_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An ``engines`` folder that was removed, as with all of its run, is made again."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = Path(import_folder()[0])
    shutil.rmtree(folder.parent)
    second = Path(import_folder()[0])
    assert second.parent != folder.parent
    assert sorted(os.listdir(second)) == ["bin", "engines", "pyvenv.cfg"]


def test_orders_reach_launcher_unchanged() -> None:
    """Orders with odd paths and words reach the launcher as they are."""
    paths = ((13, b"/a=b:c d\n--\xff"),)
    orders = Orders({4: 0}, uid=61000, filter=b"\x06", ruleset=b"\x01", paths=paths)
    odd = "uid=0\n--"
    text = _request(Launch((odd,), {odd: odd}, "/", orders, inherited=(7,)), grouped=False)
    asked = text[LENGTH_BYTES:-WORD_BYTES]
    assert int.from_bytes(text[:LENGTH_BYTES], "little") == len(asked)
    assert marshal.loads(asked) == {
        "limits": {4: 0},
        "powerless": False,
        "uid": 61000,
        "keep": 0,
        "session": True,
        "filter": b"\x06",
        "own_pid": None,
        "ruleset": b"\x01",
        "paths": paths,
        "argv": [b"uid=0\n--"],
        "env": [b"ARENA_RUN=", b"uid=0\n--=uid=0\n--"],
        "folder": b"/",
        "cores": tuple(os.sched_getaffinity(0)),
        "inherited": 1,
        "grouped": False,
    }


@pytest.mark.parametrize(
    ("step", "code", "remedy"),
    [
        ("landlock", errno.EPERM, "container"),
        ("privileges", errno.EPERM, "container"),
        ("filter", errno.EINVAL, "CONFIG_SECCOMP_FILTER"),
        ("limits", errno.EPERM, "ulimit"),
        ("user", errno.EINVAL, "too few users"),
        ("user", errno.EPERM, "root's powers"),
    ],
)
def test_complaint_of_launcher_has_remedy(step: str, code: int, remedy: str) -> None:
    """A failed step of the launcher is explained with its remedy, whatever its words."""
    problem = explain(f"something before\nconfine: {step} {code}: any words\n")
    assert problem.reason == "any words"
    assert remedy in problem.remedy


def test_lack_of_launcher_is_known_by_errno() -> None:
    """EMFILE of a launcher's step is a lack of descriptors, EPERM no lack."""
    problem = explain(f"confine: landlock {errno.EMFILE}: any words")
    assert problem.lack is Lack.DESCRIPTORS
    assert explain(f"confine: landlock {errno.EPERM}: any words").lack is None


def test_plugins_are_linked_beside_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of plug-ins are linked beside ``engines`` under their own names."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "shared" / "nim").mkdir(parents=True)
    (tmp_path / "help.py").write_text("")
    imports = (
        Import("shared/nim", str(tmp_path / "shared" / "nim")),
        Import("nim_help.py", str(tmp_path / "help.py")),
    )
    folder, sources = import_folder(imports)
    assert sorted(os.listdir(folder)) == ["bin", "engines", "nim_help.py", "pyvenv.cfg", "shared"]
    assert not os.path.islink(os.path.join(folder, "shared"))
    for name, path in imports:
        assert os.path.realpath(os.path.join(folder, name)) == path
        assert path in sources
    assert import_folder(imports) == (folder, sources)
    assert import_folder()[0] != folder
