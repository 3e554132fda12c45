"""How often a metric orders the nodes of full lattices correctly: counts of pairs and steps.

`texts` lists the texts to score, `counts` evaluates their scores. Any scorer may be used in
between, such as `maege.analysis.direct.scores.sentence_scores`.
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
    """One annotator's edits of a sentence, and those of the references that the metric reads.

    The annotator's edits do not overlap. If those of a reference do, its text has the longest ones.
    """

    tokens: Sequence[str]
    edits: Sequence[Edit]
    references: Sequence[Sequence[Edit]]


class NodeTexts(NamedTuple):
    """The inputs of a metric for every node of every lattice, lattice by lattice."""

    sources: list[str]
    hypotheses: list[str]
    references: list[list[str]]


class LatticeCounts(NamedTuple):
    """Concordant, discordant and tied pairs of each lattice, on the first axis.

    `pairs`, and `expected_chain`, their expected numbers in one random chain, have shape (3,
    lattices). `steps`, the pairs that differ in one edit by its stratum, and `expected_steps`,
    their expected numbers in one chain, have shape (3, STRATA, lattices). A chain adds each edit
    once.
    """

    pairs: Floats
    expected_chain: Floats
    steps: Floats
    expected_steps: Floats


def texts(lattices: Sequence[Lattice]) -> NodeTexts:
    """Return the texts of all nodes, with the original as the source."""
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
        strata: index in STRATA of each edit, shape (lattices, edits).

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
