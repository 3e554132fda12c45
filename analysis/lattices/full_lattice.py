"""All subsets of an annotation's edits, and the chains among them without drawing any.

Choshen and Abend 2018, "Automatic Metric Validation for Grammatical Error Correction": of two
nodes one of which applies all of the other's edits and more, that one is the better. A chain adds
the edits one by one in a random order. Of k edits it passes a node with i of them and one with all
of these and j - i more with probability i! (j - i)! (k - j)! / k!: with these weights the pairs of
the whole lattice are what one drawn chain has on average.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Edit
from maege.analysis.statistics.pair_agreement import is_tied
from maege.analysis.statistics.resampling import Floats

Places = NDArray[np.int64]


class LatticePairs(NamedTuple):
    """Every comparable pair of a full lattice, whose nodes are the masks from 0 to 2^k - 1.

    `chain_weight` is the probability that a random chain passes both nodes; `step_edit` the edit
    that the upper node has more, -1 where it has several.
    """

    lower: Places
    upper: Places
    chain_weight: Floats
    step_edit: Places


@cache
def lattice_pairs(n_edits: int) -> LatticePairs:
    """Return the 3^k - 2^k pairs of k edits, by lower mask and then by upper."""
    masks = np.arange(1 << n_edits)
    lower, upper = np.nonzero(
        (masks[:, np.newaxis] & ~masks == 0) & (masks[:, np.newaxis] != masks)
    )
    below, between = _size(lower), _size(upper ^ lower)
    factorials = np.array([factorial(n) for n in range(n_edits + 1)], np.float64)
    weight = factorials[below] * factorials[between] * factorials[n_edits - below - between]
    step = np.where(between == 1, _size((upper ^ lower) - 1), -1)
    return LatticePairs(lower, upper, weight / factorials[n_edits], step)


def overlaps(edits: Sequence[Edit]) -> bool:
    """Return whether an edit starts before another has ended, so that there is no lattice."""
    spans = sorted((edit.start, edit.end) for edit in edits)
    ends = np.maximum.accumulate([end for _, end in spans])
    return any(start < end for (start, _), end in zip(spans[1:], ends, strict=False))


def without_overlaps(edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits that a text can have together: of edits that overlap the longest one.

    Of equally long ones the first stays. Word order is annotated as an edit around others, whose
    corrections it repeats (EstGEC).
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start - edit.end):
        if not overlaps([*kept, edit]):
            kept.append(edit)
    return [edit for edit in edits if edit in kept]


def node_text(tokens: Sequence[str], edits: Sequence[Edit]) -> str:
    """Return the tokens with the edits applied, by their first corrections; they do not overlap.

    As nodes of the warehouse have it: a deletion at an end leaves the blank beside it.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    parts: list[str] = []
    for before, edit in pairwise([Edit(0, 0, "", ("",)), *ordered]):
        parts += [*tokens[before.end : edit.start], edit.corrections[0]]
    parts += tokens[ordered[-1].end if ordered else 0 :]
    text = " ".join(parts)
    edges = " " * text.startswith(" "), " " * (len(text) > 1 and text.endswith(" "))
    return " ".join(text.split()).join(edges)


def node_texts(tokens: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Return the texts of all 2^k nodes; bit i of a mask is edit i."""
    return [
        node_text(tokens, [edit for place, edit in enumerate(edits) if mask >> place & 1])
        for mask in range(1 << len(edits))
    ]


def outcomes(scores: Floats, pairs: LatticePairs) -> NDArray[np.bool_]:
    """Return which pairs a metric orders rightly, wrongly and not at all: shape (3, ..., pairs).

    Args:
        scores: of the nodes, by mask on the last axis.
        pairs: of the lattice.

    """
    lower, upper = scores[..., pairs.lower], scores[..., pairs.upper]
    tied = is_tied(lower, upper)
    return np.stack([(upper > lower) & ~tied, (upper < lower) & ~tied, tied])


def tau(by_outcome: Floats) -> Floats:
    """Return (C - D) / (C + D + T), for which a tie is nobody's; NaN where there is no pair.

    With ties as agreement a metric that ties everything has a tau of 1, and corpora differ in how
    much they tie.

    Args:
        by_outcome: concordant, discordant and tied pairs or their weights, shape (3, ...).

    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (by_outcome[0] - by_outcome[1]) / by_outcome.sum(axis=0)
    return found


def _size(masks: Places) -> Places:
    """Return how many edits each mask has."""
    return np.bitwise_count(masks).astype(np.int64)
