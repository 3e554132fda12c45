"""The one place that touches numba: kernels compiled to machine code and kept on disk.

Dynamic programmes over tokens are loops that NumPy cannot express and Python runs a hundred times
slower. Compiled code is kept in a folder beside this module that is named for the text of all
modules with kernels: numba itself looks only at a kernel's own file, and would go on calling an old
version of what the kernel calls in another one.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core.compiler_lock import global_compiler_lock

try:
    import fcntl
except ImportError:  # Windows, where two processes may compile the same kernel
    fcntl = None  # type: ignore[assignment]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_PACKAGE = Path(__file__).parents[1]
# The locks that this process has: a kernel may call itself.
_held: set[str] = set()
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

    It lets go of the interpreter's lock, so that threads run kernels side by side. Of several
    processes that need it at once, one compiles it and the others read what that one has kept.
    """
    kernel: Any = numba.njit(cache=True, nogil=True)(function)
    kernel.compile = _compiled_once(kernel.compile, f"{function.__module__}.{function.__name__}")
    found: Callable[Parameters, Result] = kernel
    return found


def _compiled_once(
    compile_now: Callable[[object], object], name: str
) -> Callable[[object], object]:
    """Return numba's method behind a lock that the processes of this machine share.

    numba's own lock, of threads, is taken first by whoever comes, so that the two are always
    taken in the same order. What a kernel calls is compiled under the locks of both.
    """

    def compile_alone(signature: object) -> object:
        with global_compiler_lock, _file_lock(name):
            return compile_now(signature)

    return compile_alone


@contextmanager
def _file_lock(name: str) -> Iterator[None]:
    """Hold the file of that name in the folder of compiled code; the system lets go with us."""
    if fcntl is None or name in _held:
        yield
        return
    folder = Path(numba.config.CACHE_DIR)  # type: ignore[attr-defined]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        _held.add(name)
        try:
            yield
        finally:
            _held.discard(name)
