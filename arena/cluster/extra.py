"""The packages of a cluster, which are an extra: a sentence where they are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from arena.values.errors import UsageError

__all__ = ["cluster_packages"]

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
        raise UsageError(
            'a cluster needs more packages: pip install "tree-arena[cluster]"'
        ) from None
