"""The packages of a cluster, which are an extra: a sentence where they are not installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from arena.values.errors import UsageError

__all__ = ["check_cluster_packages", "cluster_packages"]

# what the extra brings, with what that needs itself
PACKAGES = ("distributed", "dask", "cryptography", "tornado", "msgpack", "cloudpickle")


@contextmanager
def cluster_packages() -> Iterator[None]:
    """Import within this what needs the extra.

    Raises:
        UsageError: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        raise _not_there() from None


def check_cluster_packages() -> None:
    """Raise ``UsageError`` if the extra is not installed; nothing of it is imported."""
    if importlib.util.find_spec("distributed") is None:
        raise _not_there()


def _not_there() -> UsageError:
    return UsageError('a cluster needs more packages: pip install "tree-arena[cluster]"')
