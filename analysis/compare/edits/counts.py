"""Counts of edits of every system's sentences, beside every annotator and beside those chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from maege.analysis.compare.edits.choice import Sizes, chosen
from maege.analysis.compare.results import Counts
from maege.analysis.metrics.errant import Errant, Matching
from maege.analysis.metrics.families.base import FloatArray, GoldGroup
from maege.analysis.metrics.scores.f_score import shares_of_sums
from maege.analysis.metrics.scores.score import Positions


@dataclass(frozen=True)
class CountedSystems:
    """What one metric counts of all systems.

    `by_annotator` has for each sentence tp, proposed and gold, shape (systems, annotators with a
    line, 3), these in the order of the file. `positions` says who is chosen, `sums` is what stands
    there: shapes (systems, sentences) and (systems, sentences, 3).
    """

    by_annotator: Sequence[FloatArray]
    positions: Positions
    sums: FloatArray


def errant_counts(
    gold: Sequence[tuple[str, ...]],
    outputs: Sequence[Sequence[str]],
    match: Matching,
    beta: float,
) -> CountedSystems:
    """Return what errant_compare counts.

    Args:
        gold: the annotations of each sentence, as text, in the order of the file.
        outputs: the annotations of each system, as text, one a sentence.
        match: when two edits are the same.
        beta: the weight of recall.

    """
    groups = [
        GoldGroup("", annotations, tuple(of_sentence))
        for annotations, of_sentence in zip(gold, zip(*outputs, strict=True), strict=True)
    ]
    counted = Errant(match).compute_gold(groups)
    sizes = [
        np.concatenate([one[..., :1], one[..., :1] + one[..., 1:]], axis=-1) for one in counted
    ]
    return beside_chosen(sizes, beta, by_shares=True)


def beside_chosen(sizes: Sequence[FloatArray], beta: float, *, by_shares: bool) -> CountedSystems:
    """Return counts with the annotators that the metric's program chooses.

    Args:
        sizes: for each sentence tp, proposed and gold: shape (systems, annotators, 3).
        beta: the weight of recall.
        by_shares: by errant_compare's arithmetic, else by m2scorer's.

    """
    n_systems = sizes[0].shape[0]
    listed: list[list[list[Sizes]]] = [one.tolist() for one in sizes]
    positions = np.array(
        [
            chosen((of_all[system] for of_all in listed), beta, by_shares=by_shares)
            for system in range(n_systems)
        ],
        dtype=np.int64,
    )
    sums = np.array(
        [
            [one[system][position] for one, position in zip(listed, of_system, strict=True)]
            for system, of_system in enumerate(positions.tolist())
        ],
        dtype=np.float64,
    )
    return CountedSystems(sizes, positions, sums)


def counts_of(sums: FloatArray | Sequence[float], beta: float) -> Counts:
    """Return the counts of summed tp, proposed and gold, with precision, recall and F."""
    found = shares_of_sums(np.asarray(sums, dtype=np.float64), beta)
    tp, fp, fn, precision, recall, f_score = (float(number) for number in found.values())
    return Counts(int(tp), int(fp), int(fn), precision, recall, f_score)
