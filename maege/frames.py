"""Data frames, which the extra `notebook` installs."""

from importlib import import_module
from typing import Any


def pandas() -> Any:  # noqa: ANN401 (a module)
    """Return pandas; raises ModuleNotFoundError, with the remedy, where it is not installed."""
    try:
        return import_module("pandas")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "pandas, of which frames are made, is not installed: pip install 'maege[notebook]'"
        ) from error
