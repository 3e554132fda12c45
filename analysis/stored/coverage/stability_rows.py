"""Rows of how stable the order of systems is, by number of references."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from maege.analysis.metrics.gleu import GleuScore
from maege.analysis.metrics.scores.score import ChosenScore, FamilyScore
from maege.analysis.statistics.references import Array, Choice, stability
from maege.analysis.stored.coverage.adjustments import counts_of

DRAWS = 20
# The fewest references that allow two disjoint samples of more than one size.
FEWEST = 4

Row = tuple[Any, ...]


def stability_rows(
    key: Row, score: FamilyScore, statistics: Array, level: float, seed: int
) -> Iterator[Row]:
    """Yield the rows of a metric; `statistics` is (systems, sentences, references, k)."""
    n_systems, _, n_references, _ = statistics.shape
    if n_systems < 2 or n_references < FEWEST:
        return
    # A sample with a reference that lacks a sentence has no score.
    if not isinstance(score, ChosenScore) and np.isnan(statistics).any():
        return
    scored = cache(_scores(score, statistics))
    for found in stability(scored, n_references, DRAWS, level, seed):
        n, counts = found.n_references, (n_systems, found.n_choices)
        yield *key, "pairs", n, found.pairs, found.pairs_low, found.pairs_high, *counts
        yield *key, "orders", n, found.orders, None, None, *counts


def _scores(score: FamilyScore, statistics: Array) -> Callable[[Choice], Array]:
    """Return the function that scores all systems with some of the references."""
    if isinstance(score, ChosenScore):
        counts = counts_of(score, statistics)

        def of_chosen(choice: Choice) -> Array:
            return score.of_sums(counts(choice).sum(axis=1))

        return of_chosen
    if isinstance(score, GleuScore):
        # Integers, whose sums over sentences and references are exact in any order.
        terms = score.terms(statistics).sum(axis=1)
        return lambda choice: score.of_sums(terms[:, list(choice)].sum(axis=1))
    of_each = score.reference_scores(statistics)
    return lambda choice: score.over(of_each[:, :, list(choice)]).mean(axis=1)
