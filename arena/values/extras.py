"""Packages that come with an extra only: a sentence where they are not installed."""

from __future__ import annotations

# what each extra brings, with what that needs itself
_EXTRAS = {
    "serve": ("starlette", "uvicorn", "anyio", "h11", "markdown_it", "mdurl", "segno"),
    "cluster": ("distributed", "dask", "cryptography", "tornado", "msgpack", "cloudpickle"),
}


def missing_extra(error: ModuleNotFoundError) -> str:
    """Return which extra brings a package that is not installed; nothing if none does.

    >>> missing_extra(ModuleNotFoundError(name="dask.config"))
    'this needs more packages: pip install "tree-arena[cluster]" (in a checkout ".[cluster]")'
    """
    for extra, packages in _EXTRAS.items():
        if (error.name or "").partition(".")[0] in packages:
            install = f'pip install "tree-arena[{extra}]" (in a checkout ".[{extra}]")'
            return f"this needs more packages: {install}"
    return ""
