"""Data frames, which the extra `notebook` installs."""

from importlib import import_module
from typing import Any


def pandas() -> Any:  # noqa: ANN401 (a module)
    """Return pandas. Raises ModuleNotFoundError with the command that installs it, if missing."""
    try:
        return import_module("pandas")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "pandas, which data frames need, is not installed: pip install 'maege[notebook]'"
        ) from error
