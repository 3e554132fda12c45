"""Full lattices of annotations in files: texts of their nodes, and counts of scores."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from maege.analysis.edits import Edit
from maege.analysis.lattices import STRATA, LatticeCounts, counts_of_size, stratum
from maege.analysis.statistics.resampling import Floats


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
    selected: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: edit.start - edit.end):
        if not overlaps([*selected, edit]):
            selected.append(edit)
    return [edit for edit in edits if edit in selected]


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


def texts(lattices: Sequence[Lattice]) -> NodeTexts:
    all_texts = NodeTexts([], [], [])
    for tokens, edits, others in lattices:
        nodes = [
            node_text(tokens, [edit for place, edit in enumerate(edits) if mask >> place & 1])
            for mask in range(1 << len(edits))
        ]
        references = [node_text(tokens, without_overlaps(other)) for other in others]
        all_texts.sources.extend([" ".join(tokens)] * len(nodes))
        all_texts.hypotheses.extend(nodes)
        all_texts.references.extend([references] * len(nodes))
    return all_texts


def counts(lattices: Sequence[Lattice], scores: Floats) -> LatticeCounts:
    parts = []
    start = 0
    for lattice in lattices:
        stop = start + (1 << len(lattice.edits))
        strata = [STRATA.index(stratum(edit, lattice.references)) for edit in lattice.edits]
        parts.append(counts_of_size(scores[np.newaxis, start:stop], np.array([strata], np.int64)))
        start = stop
    return LatticeCounts(*(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True)))
