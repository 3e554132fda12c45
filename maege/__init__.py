"""Evaluate metrics of grammatical error correction, and compare systems.

`score`, `compare`, `metrics` and `results` need no warehouse; `connect` and `card` read the
published marts.
A metric of your own that needs a set-up is a subclass of `Metric`, which can raise `Unavailable`
and `NoScore` and state its `Cost`. `TextsError`, `ComparisonError`, `WarehouseError` and
`UnknownError` say what is wrong with texts, files, the warehouse or a name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maege.analysis.direct.scores import TextsError
    from maege.analysis.metrics.own.interface import Cost, Metric, NoScore, Unavailable
    from maege.comparison.api import ComparisonError, compare
    from maege.ingest.warehouse import WarehouseError
    from maege.names import UnknownError
    from maege.python import card, connect, metrics, score
    from maege.shipped.read import results

__all__ = [
    "ComparisonError",
    "Cost",
    "Metric",
    "NoScore",
    "TextsError",
    "Unavailable",
    "UnknownError",
    "WarehouseError",
    "card",
    "compare",
    "connect",
    "metrics",
    "results",
    "score",
]
_MODULES = {
    "TextsError": "maege.analysis.direct.scores",
    "UnknownError": "maege.names",
    "WarehouseError": "maege.ingest.warehouse",
    "results": "maege.shipped.read",
    **dict.fromkeys(("ComparisonError", "compare"), "maege.comparison.api"),
    **dict.fromkeys(
        ("Cost", "Metric", "NoScore", "Unavailable"), "maege.analysis.metrics.own.interface"
    ),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (public names have different types)
    """Import a name of `__all__` when it is first used: the command line needs none of them."""
    if name in __all__:
        return getattr(import_module(_MODULES.get(name, "maege.python")), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, without importing them."""
    return __all__
