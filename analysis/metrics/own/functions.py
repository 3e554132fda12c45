"""The functions that metrics.yml names: where they are looked for, and how they are imported."""

import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any


class FunctionError(Exception):
    """The function cannot be had; the message says why."""


def search_folders(metrics_file: Path) -> tuple[str, ...]:
    """Return where modules are looked for after Python's own path: beside the file, and here."""
    folders = (metrics_file.resolve().parent, Path.cwd())
    return tuple(dict.fromkeys(str(folder) for folder in folders))


@cache
def load_function(name: str, folders: tuple[str, ...]) -> Callable[..., Any]:
    """Return the function that `package.module:function` names; raise FunctionError without it."""
    module_name, _, function_name = name.partition(":")
    sys.path.extend(folder for folder in folders if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(module_name)
    # A module may fail in any way while it is imported, and even end the program.
    except (Exception, SystemExit) as error:
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        raise FunctionError(f"{module_name} cannot be imported: {problem}") from error
    function = getattr(module, function_name, None)
    if not callable(function):
        found = "no" if function is None else f"a {type(function).__name__}, not a function,"
        raise FunctionError(f"{module_name} has {found} {function_name}")
    checked: Callable[..., Any] = function
    return checked


def source_sha256(name: str, folders: tuple[str, ...]) -> str:
    """Return the SHA-256 of the file of the function's module; raise as `load_function` does."""
    load_function(name, folders)
    file = getattr(sys.modules[name.partition(":")[0]], "__file__", None)
    if file is None:
        raise FunctionError(f"{name.partition(':')[0]} has no source file")
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def check_arguments(function: Callable[..., Any], inputs: Sequence[str]) -> None:
    """Raise FunctionError unless the function can be called with just these keyword arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled functions do not tell
        return
    try:
        signature.bind(**dict.fromkeys(inputs))
    except TypeError as error:
        call = ", ".join(f"{name}=..." for name in inputs)
        raise FunctionError(
            f"it is called as {function.__name__}({call}), but takes {signature}: {error}"
        ) from None
