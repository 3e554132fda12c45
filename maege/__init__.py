"""The command `maege`, and what Python has of it: `connect`, `score`, `card` and `compare`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maege.comparison.api import compare
    from maege.python import card, connect, score

__all__ = ["card", "compare", "connect", "score"]
_MODULES = {"compare": "maege.comparison.api"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever is asked for)
    """Return what is in `__all__`, loaded when first asked for: the command needs none of it."""
    if name in __all__:
        return getattr(import_module(_MODULES.get(name, "maege.python")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
