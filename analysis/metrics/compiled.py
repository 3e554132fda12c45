"""The one place that touches numba: kernels compiled to machine code and kept on disk.

Dynamic programmes over tokens are loops that NumPy cannot express and Python runs a hundred times
slower. Compiled code is kept in a folder beside this module that is named for the text of all
modules with kernels: numba itself looks only at a kernel's own file, and would go on calling an old
version of what the kernel calls in another one.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_PACKAGE = Path(__file__).parents[1]
_IMPORT = "from analysis.metrics.compiled import compiled"


def _sources_hash() -> str:
    sources = sorted(_PACKAGE.rglob("*.py"))
    texts = [text for path in sources if _IMPORT in (text := path.read_text(encoding="utf-8"))]
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16]


if "NUMBA_CACHE_DIR" not in os.environ:
    _folder = Path(__file__).parent / "__pycache__" / f"kernels-{_sources_hash()}"
    # numba's settings have no types.
    numba.config.CACHE_DIR = str(_folder)  # type: ignore[attr-defined]


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return the function compiled on its first call for each combination of argument types.

    It lets go of the interpreter's lock, so that threads run kernels side by side.
    """
    kernel: Callable[Parameters, Result] = numba.njit(cache=True, nogil=True)(function)
    return kernel
