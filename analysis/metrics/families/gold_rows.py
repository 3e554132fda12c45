"""From rows of counts one below the other to an array for each group of requests."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.families.base import FloatArray, GoldGroup


def arrays_of_groups(
    groups: Sequence[GoldGroup], rows: NDArray[np.integer[Any]]
) -> Iterator[FloatArray]:
    """Yield an array for each group, shape (hypotheses, annotators, k).

    Args:
        groups: the groups.
        rows: k counts each: group by group, hypothesis by hypothesis, of each annotator with a
            line; those without one have NaN.

    """
    start = 0
    for group in groups:
        is_present = [text is not None for text in group.gold]
        stop = start + len(group.hypotheses) * sum(is_present)
        result = np.full((len(group.hypotheses), len(is_present), rows.shape[1]), np.nan)
        result[:, is_present] = rows[start:stop].reshape(
            len(group.hypotheses), sum(is_present), rows.shape[1]
        )
        yield result
        start = stop
