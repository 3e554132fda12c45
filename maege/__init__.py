"""The command `maege`, and what Python has of it: `connect`, `score`, `card` and `compare`.

`Metric` is what a metric with a set-up is written with; `Unavailable`, `NoScore` and `Cost` are
what it says.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maege.analysis.metrics.own.interface import Cost, Metric, NoScore, Unavailable
    from maege.comparison.api import compare
    from maege.python import card, connect, score

__all__ = ["Cost", "Metric", "NoScore", "Unavailable", "card", "compare", "connect", "score"]
_INTERFACE = "maege.analysis.metrics.own.interface"
_MODULES = {"compare": "maege.comparison.api"} | dict.fromkeys(
    ("Cost", "Metric", "NoScore", "Unavailable"), _INTERFACE
)


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever is asked for)
    """Return what is in `__all__`, loaded when first asked for: the command needs none of it."""
    if name in __all__:
        return getattr(import_module(_MODULES.get(name, "maege.python")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
