"""The table of error types of a pair of systems, the most telling rows first.

A type is tested where the two systems' counts differ in at least ten sentences and neither counts
nothing at all of it: what is below is noise by construction. Its p-value is corrected for the types
of the pair that were tested.
"""

from collections.abc import Sequence

import numpy as np

from maege.analysis.compare.edits.counts import counts_of
from maege.analysis.compare.edits.types import TypedCounts
from maege.analysis.compare.inference.resampling import Sums, resampled_sums
from maege.analysis.compare.inference.significance import LEVEL, benjamini_hochberg, randomisation_p
from maege.analysis.compare.inference.statistics import swapped_differences
from maege.analysis.compare.results import Interval, TypeRow
from maege.analysis.metrics.errant import BETA
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.f_score import f_of_sums
from maege.analysis.metrics.scores.score import Pair
from maege.analysis.statistics.resampling import Intervals, percentile_intervals

LEAST_SENTENCES = 10


def columns_of(typed: TypedCounts) -> FloatArray:
    """Return what is resampled: shape (sentences, systems x types x 3)."""
    n_sentences = typed.counts.shape[2]
    columns = typed.counts.transpose(2, 0, 1, 3).reshape(n_sentences, -1)
    return columns.astype(np.float64)


def type_rows(
    typed: TypedCounts,
    sums: Sums | None,
    names: Sequence[str],
    pair: Pair,
    beta: float,
) -> list[TypeRow]:
    """Return a row for each type that one of two systems counts something of.

    Args:
        typed: counts of all systems.
        sums: of `columns_of` them, resampled; None without tests.
        names: of the systems.
        pair: positions of a and b.
        beta: the weight of recall.

    """
    a, b = pair
    first, second = typed.sums[a], typed.sums[b]
    # What a type proposes or has in the gold; a match is both.
    sizes = [of_one[:, 1:].sum(axis=1) for of_one in (first, second)]
    kept = np.flatnonzero(sizes[0] + sizes[1])
    differing = (typed.counts[a] != typed.counts[b]).any(axis=2).sum(axis=1)
    is_tested = (differing >= LEAST_SENTENCES) & (sizes[0] > 0) & (sizes[1] > 0)
    difference = f_of_sums(second, beta) - f_of_sums(first, beta)
    ci: list[Interval | None] = [None] * len(typed.types)
    p_values: dict[int, float] = {}
    q_values: dict[int, float] = {}
    if sums is not None and len(sums.drawn):
        shape = (len(sums.drawn), *typed.sums.shape)
        drawn, swapped = sums.drawn.reshape(shape), sums.swapped.reshape(shape)
        for place in kept.tolist():
            of_both = f_of_sums(drawn[:, [a, b], place].astype(np.float64), beta)
            low, high = percentile_intervals(of_both[:, 1:] - of_both[:, :1], LEVEL)
            ci[place] = Interval(float(low[0]), float(high[0]))
            moved = swapped_differences(
                typed.sums[[a, b], place], swapped[:, [a, b], place], [(0, 1)], beta
            )
            p_values[place] = float(randomisation_p(difference[[place]], moved)[0])
        asked = [place for place in kept.tolist() if is_tested[place]]
        corrected = benjamini_hochberg([p_values[place] for place in asked]).tolist()
        q_values |= dict(zip(asked, corrected, strict=True))
    rows = [
        TypeRow(
            names[a],
            names[b],
            typed.types[place],
            int(first[place, 2]),
            int(second[place, 2]),
            counts_of(first[place], beta),
            counts_of(second[place], beta),
            float(difference[place]),
            ci[place],
            p_values.get(place),
            q_values.get(place),
            int(differing[place]),
            bool(is_tested[place]),
        )
        for place in kept.tolist()
    ]
    return sorted(rows, key=lambda row: (-_telling(row), row.type))


def type_intervals(counts: FloatArray, resamples: int, seed: int, level: float) -> Intervals:
    """Return bounds of F.5 of each type, over samples of sentences.

    Args:
        counts: tp, proposed and gold of one system: shape (sentences, types, 3).
        resamples: how many samples.
        seed: of the samples.
        level: what lies between the bounds.

    """
    columns = counts.reshape(len(counts), -1)
    sums = resampled_sums(columns, columns[:, :0], resamples, seed).drawn
    drawn = sums.reshape(resamples, -1, 3).astype(np.float64)
    return percentile_intervals(f_of_sums(drawn, BETA), level)


def _telling(row: TypeRow) -> float:
    return abs(row.difference) * (row.gold_a + row.gold_b)
