"""Evaluate metrics of grammatical error correction, and compare systems.

`score`, `compare`, `metrics` and `results` need no warehouse; `connect` and `card` read the
published marts.
A metric of your own that needs a set-up is a subclass of `Metric`, which can raise `Unavailable`
and `NoScore` and state its `Cost`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maege.analysis.metrics.own.interface import Cost, Metric, NoScore, Unavailable
    from maege.comparison.api import compare
    from maege.python import card, connect, metrics, score
    from maege.shipped.read import results

__all__ = [
    "Cost",
    "Metric",
    "NoScore",
    "Unavailable",
    "card",
    "compare",
    "connect",
    "metrics",
    "results",
    "score",
]
_INTERFACE = "maege.analysis.metrics.own.interface"
_MODULES = {"compare": "maege.comparison.api", "results": "maege.shipped.read"} | dict.fromkeys(
    ("Cost", "Metric", "NoScore", "Unavailable"), _INTERFACE
)


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever is asked for)
    """Return what is in `__all__`, loaded when first asked for: the command needs none of it."""
    if name in __all__:
        return getattr(import_module(_MODULES.get(name, "maege.python")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, which are loaded only when they are used."""
    return __all__
