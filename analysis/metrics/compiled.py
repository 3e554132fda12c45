"""Kernels compiled to machine code and kept on disk; two modules more touch numba, for this one.

Dynamic programmes over tokens are loops that NumPy cannot express and Python runs a hundred times
slower. Compiled code is kept in a folder beside this module that is named for the text of all
modules with kernels: numba itself looks only at a kernel's own file, and would go on calling an old
version of what the kernel calls in another one.
"""

import gc
import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, update_wrapper
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

try:
    import fcntl
except ImportError:  # Windows, where two processes may compile the same kernel
    fcntl = None  # type: ignore[assignment]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_PACKAGE = Path(__file__).parents[1]
_IMPORT = "from analysis.metrics.compiled import "
_linking = threading.RLock()
# What the kernels of a module see of it, by the module's own namespace.
_linked: dict[int, dict[str, object]] = {}


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return the function compiled on its first call for each combination of argument types.

    It lets go of the interpreter's lock, so that threads run kernels side by side. Of several
    processes that need it at once, one compiles it and the others read what that one has kept.
    Before the first call of any kernel numba is not imported, which takes half a second.
    """
    return Kernel(function)


def has_compiled_code() -> bool:
    """Return whether any kernel of these sources was compiled before; imports no numba."""
    return any(_folder().rglob("*.nbi"))


class Kernel(Generic[Parameters, Result]):
    """A function for numba to compile, with whatever other attributes numba gives it."""

    def __init__(self, function: Callable[Parameters, Result]) -> None:
        update_wrapper(self, function)
        self._function: Any = function
        self._dispatcher: Any = None
        self._part: Any = None

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Run the compiled function."""
        result: Result = (self._dispatcher or self.dispatcher())(*args, **kwargs)
        return result

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - numba's
        return getattr(self.dispatcher(), name)

    def dispatcher(self) -> Any:  # noqa: ANN401 - numba has no types
        """Return numba's form of the function for Python, with the parts that it calls."""
        with _linking:
            if self._dispatcher is None:
                dispatcher = self._compiled(cache=True, nogil=True)
                dispatcher.compile = _compiled_once(
                    dispatcher.compile, f"{self.__module__}.{self.__name__}"
                )
                self._dispatcher = dispatcher
        return self._dispatcher

    def part(self) -> Any:  # noqa: ANN401 - numba has no types
        """Return numba's form of the function for other kernels: nothing else can call it."""
        with _linking:
            if self._part is None:
                part = self._compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True)
                part.compile = _compiled_for_int64(part.compile)
                self._part = part
        return self._part

    def _compiled(self, **options: bool) -> Any:  # noqa: ANN401 - numba has no types
        function = FunctionType(
            self._function.__code__,
            _namespace(self._function.__globals__),
            self._function.__name__,
            self._function.__defaults__,
            self._function.__closure__,
        )
        function.__qualname__ = self._function.__qualname__
        function.__module__ = self._function.__module__
        return _numba().njit(**options)(function)


def _namespace(module: dict[str, object]) -> dict[str, object]:
    """Return a copy of what stands in a module, with each kernel as a part of others."""
    if id(module) not in _linked:
        # Kept first: the module's own kernels are linked to it while it is made.
        linked = _linked[id(module)] = dict(module)
        linked.update(
            {name: value.part() for name, value in module.items() if isinstance(value, Kernel)}
        )
    return _linked[id(module)]


@cache
def _numba() -> Any:  # noqa: ANN401 - a module
    import numba

    from analysis.metrics.kernel_code import put_off_machine_code

    put_off_machine_code()
    # Most errors only say that a type does not fit, and nobody reads these: no need for colours.
    numba.config.DISABLE_ERROR_MESSAGE_HIGHLIGHTING = 1
    numba.config.CACHE_DIR = str(_folder())
    return numba


def _folder() -> Path:
    named = os.environ.get("NUMBA_CACHE_DIR")
    own = Path(__file__).parent / "__pycache__"
    return Path(named) if named else own / f"kernels-{_sources_hash()}"


def _sources_hash() -> str:
    sources = sorted(_PACKAGE.rglob("*.py"))
    texts = [text for path in sources if _IMPORT in (text := path.read_text(encoding="utf-8"))]
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16]


def _compiled_once(
    compile_now: Callable[[object], object], name: str
) -> Callable[[object], object]:
    """Return numba's method behind a lock that the processes of this machine share.

    numba's own lock, of threads, is taken first by whoever comes, so that the two are always
    taken in the same order.
    """
    from numba.core.compiler_lock import global_compiler_lock

    def compile_alone(signature: object) -> object:
        with global_compiler_lock, _file_lock(name), _without_collections():
            return compile_now(signature)

    return compile_alone


def _compiled_for_int64(
    compile_now: Callable[[tuple[object, ...]], object],
) -> Callable[[tuple[object, ...]], object]:
    """Return numba's method for whole numbers of 64 bits, to which callers convert others.

    Constants, each of which would be a type of its own, and numbers out of arrays of int32.
    """
    from numba.core import types

    def compile_wide(signature: tuple[object, ...]) -> object:
        kinds = [types.unliteral(kind) for kind in signature]
        return compile_now(
            tuple(
                types.int64 if isinstance(kind, types.Integer) and kind.signed else kind
                for kind in kinds
            )
        )

    return compile_wide


@contextmanager
def _without_collections() -> Iterator[None]:
    """Look for no garbage: numba makes millions of objects, and a fifth of the time went there."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def _file_lock(name: str) -> Iterator[None]:
    """Hold the file of that name in the folder of compiled code; the system lets go with us."""
    if fcntl is None:
        yield
        return
    folder = Path(_numba().config.CACHE_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
