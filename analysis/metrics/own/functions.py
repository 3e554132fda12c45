"""Find and import the functions that metrics.yml names."""

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any


class FunctionError(Exception):
    """The function is not available; the message says why."""


def search_folders(metrics_file: Path) -> tuple[str, ...]:
    """Return the module search folders after Python's path: the file's, then the current one."""
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
    # A module's import may fail in any way, and may even end the program.
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
    """Return the SHA-256 of the function's module file; raise the errors of `load_function`."""
    load_function(name, folders)
    module = name.partition(":")[0]
    file = importlib.import_module(module).__file__
    if file is None:
        raise FunctionError(f"{module} has no source file")
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def problem_with_source(name: str, folders: tuple[str, ...], sha256: str) -> str | None:
    """Return why the function's module file does not have this SHA-256, None if it does.

    The module is not imported, because that may end the process or take long.
    """
    module = name.partition(":")[0]
    sys.path.extend(folder for folder in folders if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        found = importlib.util.find_spec(module)
    # The packages around a module are imported, which may fail in any way.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return f"{module} cannot be found: {type(error).__name__}: {error}"
    if found is None or not found.origin or not Path(found.origin).is_file():
        return f"{module}: expected a module with SHA-256 {sha256[:12]}, found none"
    content = hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
    if content != sha256:
        return f"{found.origin}: expected SHA-256 {sha256[:12]}, found {content[:12]}"
    return None


def check_arguments(function: Callable[..., Any], inputs: Sequence[str]) -> None:
    """Raise FunctionError unless the function accepts exactly these keyword arguments."""
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
