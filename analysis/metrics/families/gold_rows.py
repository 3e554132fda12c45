"""Convert rows of counts of many groups of requests to one array per group."""

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
        rows: rows of k counts, ordered by group, hypothesis and annotator. Annotators without a
            line have no rows; their counts become NaN.
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
