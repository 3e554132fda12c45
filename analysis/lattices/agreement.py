"""Does a metric order the nodes of full lattices as their edits do? Counts of pairs and of steps.

`texts` says what a metric is to score, `counts` what its scores say; between the two stands any
scorer, such as `maege.analysis.direct.scores.sentence_scores`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from maege.analysis.edits import Edit
from maege.analysis.lattices.full_lattice import (
    lattice_pairs,
    node_text,
    node_texts,
    outcomes,
    without_overlaps,
)
from maege.analysis.lattices.strata import STRATA, stratum
from maege.analysis.statistics.bootstrap import Floats


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
    (3, lattices); `steps`, the pairs that differ in one edit by its stratum, of shape
    (3, STRATA, lattices).
    """

    pairs: Floats
    expected_chain: Floats
    steps: Floats


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
    found = LatticeCounts(
        np.zeros((3, len(lattices))),
        np.zeros((3, len(lattices))),
        np.zeros((3, len(STRATA), len(lattices))),
    )
    start = 0
    for place, lattice in enumerate(lattices):
        pairs = lattice_pairs(len(lattice.edits))
        stop = start + (1 << len(lattice.edits))
        by_pair = outcomes(scores[start:stop], pairs)
        start = stop
        found.pairs[:, place] = by_pair.sum(axis=1)
        found.expected_chain[:, place] = by_pair @ pairs.chain_weight
        strata = np.array(
            [STRATA.index(stratum(edit, lattice.references)) for edit in lattice.edits], np.int64
        )
        is_step = pairs.step_edit >= 0
        of_steps = strata[pairs.step_edit[is_step]]
        for number in range(len(STRATA)):
            found.steps[:, number, place] = by_pair[:, is_step][:, of_steps == number].sum(axis=1)
    return found
