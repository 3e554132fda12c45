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
    """Return Kendall's tau for partial orders, from two lists of scores of equal length.

    Each position is a comparable pair: the score of the worse and of the better text. tau = (C - D)
    / P, so that equal scores count as half. NaN without pairs.

    Raises:
        ValueError: the lists differ in length, or a score is NULL or NaN.
    """
    counts = [_pair_counts(*pair) for pair in _rows(worse, better)]
    return pa.array([float(kendall_tau_a(*count)) for count in counts])


def williams_p(r12: Column, r13: Column, r23: Column, n: Column) -> pa.Array:
    """Return the two-sided p-value of Williams' test of r12 = r13, for n systems.

    1 is the human score, 2 and 3 are metrics. r23 is the correlation of the two metrics. NaN for
    fewer than four systems.
    """
    return pa.array(williams(*map(_floats, (r12, r13, r23, n))).p_value)


def expected_wins(first: Column, second: Column, preference: Column) -> pa.Array:
    """Return the systems' Expected Wins from lists of judged pairs, as one list sorted by name.

    Each pair has the names of two systems, and 1 if the first is better, -1 if the second is, or 0
    for a tie. `undecided` is the number of opponents without a decided judgment; each of them adds
    0.

    Raises:
        ValueError: the lists differ in length, a system is paired with itself, an entry is NULL, or
            a preference is not -1, 0 or 1.
    """
    return pa.array(
        [_expected_wins(*judgments) for judgments in _rows(first, second, preference)],
        pa.list_(
            pa.struct({"system": pa.string(), "score": pa.float64(), "undecided": pa.int64()})
        ),
    )


def bootstrap_interval(
    numerators: Column, denominators: Column, samples: Column, seed: Column
) -> pa.Array:
    """Return the 95 % percentile interval of sum(numerators) / sum(denominators), as `low`, `high`.

    Each position of the two lists is one cluster, such as a source sentence. Sort the lists,
    because clusters are sampled by position. If all denominators are 1, it is the interval of a
    mean. NaN if the denominators sum to 0 in every sample.

    Raises:
        ValueError: the lists are empty or differ in length, a value is NULL, NaN or infinite, or
            there is no sample.
    """
    intervals = []
    for upper, lower, n_samples, start in _rows(numerators, denominators, samples, seed):
        _check("bootstrap_interval", upper, lower)
        if not upper or n_samples < 1 or not np.isfinite(upper + lower).all():
            raise ValueError(
                "bootstrap_interval expects at least one cluster and sample, and finite numbers"
            )
        weights = cluster_weights(len(upper), n_samples, start)
        intervals.append(ratio_intervals(upper, lower, weights))
    return pa.array(
        [{"low": float(low[0]), "high": float(high[0])} for low, high in intervals],
        pa.struct({"low": pa.float64(), "high": pa.float64()}),
    )


def _pair_counts(worse: list[float], better: list[float]) -> tuple[int, int, int]:
    _check("kendall_partial", worse, better)
    lower, upper = np.array(worse, dtype=np.float64), np.array(better, dtype=np.float64)
    return int((upper > lower).sum()), int((upper < lower).sum()), int((upper == lower).sum())


def _expected_wins(
    first: list[str], second: list[str], preference: list[int]
) -> list[dict[str, str | float]]:
    _check("expected_wins", first, second, preference)
    if any(map(eq, first, second)) or not set(preference) <= {-1, 0, 1}:
        raise ValueError("expected_wins expects different systems, and preferences -1, 0 and 1")
    systems = sorted({*first, *second})
    if not systems:
        return []
    place = {name: number for number, name in enumerate(systems)}
    wins = judgment_counts(
        [place[name] for name in first], [place[name] for name in second], preference, len(systems)
    ).wins
    rows = zip(systems, expected_wins_of(wins), undecided_opponents(wins), strict=True)
    return [
        {"system": system, "score": float(score), "undecided": int(undecided)}
        for system, score, undecided in rows
    ]


def _check(function: str, *lists: list[Any]) -> None:
    """Raise ValueError if the lists differ in length, or one has a NULL or NaN."""
    if len(set(map(len, lists))) > 1 or any(
        entry is None or entry != entry for entries in lists for entry in entries
    ):
        sizes = " and ".join(str(len(entries)) for entries in lists)
        raise ValueError(
            f"{function} expects lists of equal length without NULL, found lists of {sizes} entries"
        )


def _rows(*columns: Column) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in columns), strict=True)


def _floats(column: Column) -> NDArray[np.float64]:
    values: NDArray[np.float64] = column.to_numpy().astype(np.float64)
    return values
