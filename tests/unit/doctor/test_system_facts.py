"""Facts about a system are read from what the system says, here from a made-up one."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.doctor.finding import Finding, State
from arena.doctor.powers import power_findings, what_landlock_lacks
from arena.doctor.system import container_kind, system_findings

FILES = {
    "proc/sys/kernel/osrelease": "6.8.0-45-generic\n",
    "etc/os-release": 'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nID=ubuntu\nVERSION_ID="24.04"\n',
    "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
    "proc/sys/user/max_user_namespaces": "63000\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the root of a made-up Ubuntu."""
    write(tmp_path, FILES)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def topic(findings: tuple[Finding, ...], name: str) -> Finding:
    (found,) = (one for one in findings if one.topic == name)
    return found


def test_system_is_read(root: Path) -> None:
    """Kernel, distribution and what the kernel says of user namespaces come from the files."""
    findings = system_findings(root)
    kernel = topic(findings, "kernel")
    assert kernel.state is State.GREEN
    assert "6.8.0-45-generic" in kernel.what
    assert kernel.data["apparmor_restrict_unprivileged_userns"] == "1"
    assert kernel.data["max_user_namespaces"] == "63000"
    assert topic(findings, "distribution").what == "Ubuntu 24.04.1 LTS"
    assert topic(findings, "container").data == {"kind": ""}


def test_old_kernel_is_red(root: Path) -> None:
    """A kernel without the calls that killing needs is red, with the version that has them."""
    write(root, {"proc/sys/kernel/osrelease": "5.2.11\n"})
    kernel = topic(system_findings(root), "kernel")
    assert kernel.state is State.RED
    assert "5.3" in kernel.remedy


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({}, ""),
        ({".dockerenv": ""}, "docker"),
        ({"run/.containerenv": ""}, "podman"),
        ({"run/systemd/container": "lxc\n"}, "lxc"),
        ({"proc/1/environ": "TERM=xterm\0container=systemd-nspawn\0"}, "systemd-nspawn"),
        ({"proc/1/environ": "xcontainer=no\0"}, ""),
        ({"proc/1/cgroup": "4:memory:/kubepods/besteffort/pod1\n"}, "kubepods"),
    ],
)
def test_containers_are_told(tmp_path: Path, files: dict[str, str], kind: str) -> None:
    """Each kind of container is known by the sign it leaves."""
    write(tmp_path, files)
    assert container_kind(tmp_path) == kind


def test_powers_are_told() -> None:
    """A kernel with everything is green throughout."""
    assert {one.state for one in power_findings(6, schedstat=True)} == {State.GREEN}


def test_missing_powers_are_told() -> None:
    """Where a kernel has nothing of it, each power is missing with a word on what would help."""
    findings = power_findings(0, schedstat=False)
    for name in ("landlock", "honest clocks"):
        assert topic(findings, name).state is State.YELLOW
        assert topic(findings, name).remedy


def test_landlock_of_debian_12_lacks_sockets_and_signals() -> None:
    """Linux 6.1 has version 2, which knows files only."""
    lacks = what_landlock_lacks(2)
    assert [one.partition(" (")[0] for one in lacks] == [
        "truncating files",
        "TCP",
        "device commands",
        "signals and abstract sockets",
    ]
    assert what_landlock_lacks(6) == what_landlock_lacks(7) == ()
