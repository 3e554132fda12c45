"""All subsets of an annotation's edits, and the expectation over its chains without sampling.

Choshen and Abend 2018, "Automatic Metric Validation for Grammatical Error Correction": if one node
applies all edits of another node and more, it is the better one. A chain adds the edits one by one
in a random order. With k edits, a chain visits a node with i edits and one with j - i more edits
with probability i! (j - i)! (k - j)! / k!. With these weights, the pairs of the whole lattice equal
those of one random chain in expectation.
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

    `chain_weight` is the probability that a random chain visits both nodes; `step_edit` the
    additional edit of the upper node, -1 if it has several.
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
    """Return the edits that can be applied together: of overlapping edits the longest one.

    Of equally long ones the first stays. Word order is annotated as an edit that covers others and
    repeats their corrections (EstGEC).
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start - edit.end):
        if not overlaps([*kept, edit]):
            kept.append(edit)
    return [edit for edit in edits if edit in kept]


def node_text(tokens: Sequence[str], edits: Sequence[Edit]) -> str:
    """Return the tokens after the edits, which must not overlap, with their first corrections.

    As in nodes of the warehouse, a deletion at an end leaves the adjacent space.
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
    """Return which pairs a metric orders correctly, wrongly and not at all: shape (3, ..., pairs).

    Args:
        scores: of the nodes, by mask on the last axis.
        pairs: of the lattice.

    """
    lower, upper = scores[..., pairs.lower], scores[..., pairs.upper]
    tied = is_tied(lower, upper)
    return np.stack([(upper > lower) & ~tied, (upper < lower) & ~tied, tied])


def tau(by_outcome: Floats) -> Floats:
    """Return (C - D) / (C + D + T), in which a tie counts as half; NaN without pairs.

    If ties counted as agreement, a metric that ties everything would have a tau of 1, and corpora
    differ in their number of ties.

    Args:
        by_outcome: concordant, discordant and tied pairs or their weights, shape (3, ...).

    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (by_outcome[0] - by_outcome[1]) / by_outcome.sum(axis=0)
    return found


def _size(masks: Places) -> Places:
    """Return the number of edits of each mask."""
    return np.bitwise_count(masks).astype(np.int64)
