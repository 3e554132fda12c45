"""Correlations among systems of similar quality: a window that slides down the human ranking.

Kobayashi, Mita and Komachi (2024), "Revisiting meta-evaluation for grammatical error correction"
(SEEDA), with windows of four systems among twelve. A metric that tells bad systems from
good ones need not order the good ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from maege.analysis.statistics.correlations.correlation_bootstrap import (
    pearson_of_rows,
    spearman_of_rows,
)
from maege.analysis.statistics.judgments.judged_pairs import Floats, Integers

SEEDA_WINDOW = 4


class WindowCorrelations(NamedTuple):
    """Correlations of shape (k, n_windows), the window of the best systems first."""

    pearson: Floats
    spearman: Floats


def system_windows(human: ArrayLike, size: int = SEEDA_WINDOW) -> Integers:
    """Return the positions of the systems in each window, best first: (n - size + 1, size).

    Of equal human scores the later system comes first, as in SEEDA's scripts. There is no window
    where there are fewer systems than it holds.

    Args:
        human: the systems' human scores, shape (n,).
        size: systems in a window.

    Raises:
        ValueError: the scores are no vector or hold a NaN, or the size is below 2.

    """
    gold = np.asarray(human, dtype=np.float64)
    if gold.ndim != 1 or np.isnan(gold).any() or size < 2:
        raise ValueError(
            f"expected a vector of human scores and at least two systems in a window, found shape "
            f"{gold.shape} with {int(np.isnan(gold).sum())} NaN, and {size}"
        )
    best_first = np.argsort(gold, kind="stable")[::-1]
    starts = np.arange(max(gold.size - size + 1, 0))
    windows: Integers = best_first[starts[:, np.newaxis] + np.arange(size)]
    return windows


def window_correlations(
    human: ArrayLike, scores: ArrayLike, size: int = SEEDA_WINDOW
) -> WindowCorrelations:
    """Return each metric's correlations with human scores within each window.

    Args:
        human: the systems' human scores, shape (n,).
        scores: the metrics' scores of the systems, shape (k, n).
        size: systems in a window.

    Raises:
        ValueError: as `system_windows`, or the shapes do not fit.

    """
    gold, values = np.asarray(human, np.float64), np.asarray(scores, np.float64)
    windows = system_windows(gold, size)
    if values.shape[1:] != gold.shape:
        raise ValueError(
            f"expected scores of {gold.size} systems in each row, found shape {values.shape}"
        )
    within = values[:, windows]
    return WindowCorrelations(
        pearson_of_rows(within, gold[windows]), spearman_of_rows(within, gold[windows])
    )
