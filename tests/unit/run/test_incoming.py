"""What is asked of a run that ends before it answers, while another one begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.run import incoming
from arena.store import open_store, runner_lock
from arena.store.run_requests import RunRequest, RunRequests
from arena.values.errors import RunnerBusy


class Cleared(RunRequests):
    """Requests that another run clears, as it begins, after somebody has looked at them."""

    def answered(self, number: int) -> str | None:
        found = super().answered(number)
        self.clear("cup")
        return found


def test_a_request_that_another_run_does_not_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asked asks again, and does not wait for an answer that never comes."""
    with open_store(tmp_path, create=True) as store, runner_lock(tmp_path, "cup"):
        monkeypatch.setattr(incoming, "LOOK_SECONDS", 0.0)
        store.requests = Cleared(store._database)
        request = RunRequest(str(tmp_path / "cup.yaml"))
        assert not incoming.hand_over(store, tmp_path, "cup", request, RunnerBusy("it runs"))
        assert store.requests.next("cup") is None
