"""The functions that sql_registration.py registers in SQL, from columns to columns.

SciPy is imported at the first call of one of them, because the import takes a second.
"""

from collections.abc import Iterator
from operator import eq
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from maege.analysis.statistics.correlations import correlation_p_values
from maege.analysis.statistics.judgments import expected_wins as expected_wins_of
from maege.analysis.statistics.judgments import judgment_counts, undecided_opponents
from maege.analysis.statistics.pair_agreement import kendall_tau_a, kendall_tau_maege
from maege.analysis.statistics.resampling import cluster_weights, ratio_intervals
from maege.analysis.statistics.significance import williams

Column: TypeAlias = pa.ChunkedArray


def kendall_p(concordant: Column, discordant: Column, tied: Column) -> pa.Array:
    """Return MAEGE's p-value of tau from numbers of pairs; ties count as agreement."""
    return pa.array(kendall_tau_maege(*map(_floats, (concordant, discordant, tied))).p)


def correlation_p(coefficient: Column, n: Column) -> pa.Array:
    """Return the two-sided p-value of a correlation of n values, by the t-approximation."""
    return pa.array(correlation_p_values(_floats(coefficient), _floats(n)))


def character_distance(left: Column, right: Column) -> pa.Array:
    """Return the Levenshtein distance in characters (DuckDB's own counts bytes)."""
    pairs = zip(left.to_pylist(), right.to_pylist(), strict=True)
    return pa.array([Levenshtein.distance(a, b) for a, b in pairs], pa.int64())


def kendall_partial(worse: Column, better: Column) -> pa.Array:
    """Return tau = (C - D) / P from scores of the worse and the better texts; NaN without pairs."""
    taus = []
    for scores in _rows("kendall_partial", worse, better):
        lower, upper = (np.array(column, np.float64) for column in scores)
        counts = (upper > lower).sum(), (upper < lower).sum(), (upper == lower).sum()
        taus.append(float(kendall_tau_a(*counts)))
    return pa.array(taus)


def williams_p(r12: Column, r13: Column, r23: Column, n: Column) -> pa.Array:
    """Return the two-sided p-value of Williams' test of r12 = r13, for n systems.

    1 is the human score, 2 and 3 are metrics. NaN for fewer than four systems.
    """
    return pa.array(williams(*map(_floats, (r12, r13, r23, n))).p_value)


def expected_wins(first: Column, second: Column, preference: Column) -> pa.Array:
    """Return the systems' Expected Wins from lists of judged pairs, as one list sorted by name.

    A preference is 1 if the first system is better, -1 if the second is, and 0 for a tie.
    `undecided` is the number of opponents without a decided judgment; each of them adds 0.
    """
    results = []
    for firsts, seconds, preferences in _rows("expected_wins", first, second, preference):
        if any(map(eq, firsts, seconds)) or not set(preferences) <= {-1, 0, 1}:
            raise ValueError("expected_wins expects different systems, and preferences -1, 0 and 1")
        systems = sorted({*firsts, *seconds})
        place = {name: number for number, name in enumerate(systems)}
        wins = judgment_counts(
            [place[name] for name in firsts],
            [place[name] for name in seconds],
            preferences,
            len(systems),
        ).wins
        scores = zip(systems, expected_wins_of(wins), undecided_opponents(wins), strict=True)
        results.append(
            [
                {"system": system, "score": float(score), "undecided": int(undecided)}
                for system, score, undecided in scores
            ]
        )
    return pa.array(
        results,
        pa.list_(
            pa.struct({"system": pa.string(), "score": pa.float64(), "undecided": pa.int64()})
        ),
    )


def bootstrap_interval(
    numerators: Column, denominators: Column, samples: Column, seed: Column
) -> pa.Array:
    """Return the 95 % percentile interval of sum(numerators) / sum(denominators), as `low`, `high`.

    Each position of the two lists is one cluster, such as a source sentence. Sort the lists,
    because clusters are sampled by position. NaN if the denominators sum to 0 in every sample.
    """
    intervals = []
    lists = _rows("bootstrap_interval", numerators, denominators)
    draws = zip(samples.to_pylist(), seed.to_pylist(), strict=True)
    for (upper, lower), (n_samples, start) in zip(lists, draws, strict=True):
        if not upper or n_samples < 1 or not np.isfinite(upper + lower).all():
            raise ValueError(
                "bootstrap_interval expects at least one cluster and sample, and finite numbers"
            )
        weights = cluster_weights(len(upper), n_samples, start)
        low, high = ratio_intervals(upper, lower, weights)
        intervals.append({"low": float(low[0]), "high": float(high[0])})
    return pa.array(intervals, pa.struct({"low": pa.float64(), "high": pa.float64()}))


def _rows(function: str, *columns: Column) -> Iterator[tuple[list[Any], ...]]:
    """Raise ValueError if the lists of a row differ in length, or one has a NULL or NaN."""
    for lists in zip(*(column.to_pylist() for column in columns), strict=True):
        if len(set(map(len, lists))) > 1 or any(
            entry is None or entry != entry for entries in lists for entry in entries
        ):
            sizes = " and ".join(str(len(entries)) for entries in lists)
            raise ValueError(
                f"{function} expects lists of equal length without NULL, found lists of {sizes} "
                "entries"
            )
        yield lists


def _floats(column: Column) -> NDArray[np.float64]:
    values: NDArray[np.float64] = column.to_numpy().astype(np.float64)
    return values
