"""The packages of a cluster, which are an extra: a sentence where they are not installed."""

from __future__ import annotations

from contextlib import AbstractContextManager

from arena.values.extras import extra_packages

# what the extra brings, with what that needs itself
PACKAGES = ("distributed", "dask", "cryptography", "tornado", "msgpack", "cloudpickle")


def cluster_packages() -> AbstractContextManager[None]:
    """Return a block in which to import what needs the extra, as ``extra_packages``."""
    return extra_packages("cluster", "a cluster", PACKAGES)
