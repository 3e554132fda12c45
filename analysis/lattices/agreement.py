"""Does a metric order the nodes of full lattices as their edits do? Counts of pairs and of steps.

`texts` says what a metric is to score, `counts` what its scores say; between the two stands any
scorer, such as `maege.analysis.direct.scores.sentence_scores`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Edit
from maege.analysis.lattices.full_lattice import (
    lattice_pairs,
    node_text,
    node_texts,
    outcomes,
    without_overlaps,
)
from maege.analysis.lattices.strata import STRATA, stratum
from maege.analysis.statistics.resampling import Floats


class Lattice(NamedTuple):
    """What one annotator did to a sentence, and what the references that are shown did to it.

    The edits do not overlap; where those of a reference do, its text has the longest of them.
    """

    tokens: Sequence[str]
    edits: Sequence[Edit]
    references: Sequence[Sequence[Edit]]


class NodeTexts(NamedTuple):
    """What a metric reads of every node of every lattice, one lattice after the other."""

    sources: list[str]
    hypotheses: list[str]
    references: list[list[str]]


class LatticeCounts(NamedTuple):
    """Concordant, discordant and tied pairs of each lattice, on the first axis.

    `pairs`, and `expected_chain`, what one random chain has of them on average, are of shape
    (3, lattices); `steps`, the pairs that differ in one edit by its stratum, and `expected_steps`,
    what one chain has of them, of shape (3, STRATA, lattices). A chain adds each edit once.
    """

    pairs: Floats
    expected_chain: Floats
    steps: Floats
    expected_steps: Floats


def texts(lattices: Sequence[Lattice]) -> NodeTexts:
    """Return the texts of all nodes, with the original as their source."""
    found = NodeTexts([], [], [])
    for lattice in lattices:
        nodes = node_texts(lattice.tokens, lattice.edits)
        references = [
            node_text(lattice.tokens, without_overlaps(edits)) for edits in lattice.references
        ]
        found.sources.extend([" ".join(lattice.tokens)] * len(nodes))
        found.hypotheses.extend(nodes)
        found.references.extend([references] * len(nodes))
    return found


def counts(lattices: Sequence[Lattice], scores: Floats) -> LatticeCounts:
    """Return the counts of each lattice.

    Args:
        lattices: as for `texts`.
        scores: of the nodes that `texts` lists.

    """
    parts = []
    start = 0
    for lattice in lattices:
        stop = start + (1 << len(lattice.edits))
        strata = [STRATA.index(stratum(edit, lattice.references)) for edit in lattice.edits]
        parts.append(counts_of_size(scores[np.newaxis, start:stop], np.array([strata], np.int64)))
        start = stop
    if not parts:
        return counts_of_size(np.zeros((0, 1)), np.zeros((0, 0), np.int64))
    return LatticeCounts(*(np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)))


def counts_of_size(scores: Floats, strata: NDArray[np.int64]) -> LatticeCounts:
    """Return the counts of lattices that have equally many edits.

    Args:
        scores: of their nodes by mask, shape (lattices, 2^edits).
        strata: the place in STRATA of each edit, shape (lattices, edits).

    """
    pairs = lattice_pairs(strata.shape[1])
    by_pair = outcomes(scores, pairs)
    is_step = pairs.step_edit >= 0
    weight = pairs.chain_weight[is_step]
    of_steps, of_stratum = by_pair[..., is_step], strata[:, pairs.step_edit[is_step]]
    is_in = [of_steps & (of_stratum == number) for number in range(len(STRATA))]
    return LatticeCounts(
        by_pair.sum(axis=-1).astype(np.float64),
        by_pair @ pairs.chain_weight,
        np.stack([steps.sum(axis=-1) for steps in is_in], axis=1).astype(np.float64),
        np.stack([steps @ weight for steps in is_in], axis=1),
    )
