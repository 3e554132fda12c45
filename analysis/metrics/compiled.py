"""Kernels: loops that NumPy cannot express, compiled by Numba to machine code and cached on disk.

Numba's cache checks only the file of a kernel. It would reuse an outdated kernel after a change in
another file that the kernel calls. The name of the cache folder therefore contains a hash of all
modules with kernels, unless NUMBA_CACHE_DIR is set.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_IMPORT = "from maege.analysis.metrics.compiled import "


def _cache_folder() -> str:
    sources = sorted(Path(__file__).parents[1].rglob("*.py"))
    texts = [text for path in sources if _IMPORT in (text := path.read_text(encoding="utf-8"))]
    name = hashlib.sha256("".join(texts).encode()).hexdigest()[:16]
    return str(Path(__file__).parent / "__pycache__" / f"kernels-{name}")


# Numba reads this variable when it is imported.
os.environ.setdefault("NUMBA_CACHE_DIR", _cache_folder())

import numba  # noqa: E402


def compiled(
    signature: str | None = None,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Kernels release the interpreter's lock, so threads run them in parallel."""
    decorate: Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]] = numba.njit(
        signature, cache=True, nogil=True
    )
    return decorate
