"""Many tests at once: q-values of a family (Benjamini and Hochberg 1995)."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray


def q_values(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return the q-value of each p-value among those that are no NaN; NaN where it is.

    The share of false discoveries among all tests of the family whose q is no larger.
    """
    p = np.asarray(p_values, dtype=np.float64)
    q = np.full(p.shape, np.nan)
    tested = ~np.isnan(p)
    if tested.any():
        q[tested] = scipy.stats.false_discovery_control(p[tested])
    return q


def with_q_values(
    rows: Iterable[dict[str, Any]], family_of: Callable[[dict[str, Any]], Hashable]
) -> Iterator[dict[str, Any]]:
    """Yield the rows, family by family, with `q_value` from the `p_value` of their family.

    Rows without a `p_value` were not tested; their q-value is NaN.
    """
    families: dict[Hashable, list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault(family_of(row), []).append(row)
    for family in families.values():
        p_values = [row.get("p_value", np.nan) for row in family]
        for row, q in zip(family, q_values(p_values), strict=True):
            yield row | {"q_value": q}
