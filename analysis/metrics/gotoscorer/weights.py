"""How many systems get each chunk of a gold wrong, and the sums of that over a hypothesis."""

from typing import NamedTuple

import numpy as np

from analysis.metrics.compiled import compiled
from analysis.metrics.gotoscorer.chunks import (
    FP,
    FP_AND_FN,
    OUTCOMES,
    TN,
    TP,
    Annotations,
    Chunks,
    IntArray,
    chunks_of,
    outcome,
)


class Groups(NamedTuple):
    """Annotations that belong together, by number.

    Group g has `gold[gold_starts[g]]` to before `gold[gold_starts[g + 1]]`, and likewise hypotheses
    and outputs; output o is that of `systems[o]` systems.
    """

    gold: IntArray
    gold_starts: IntArray
    hypotheses: IntArray
    hypothesis_starts: IntArray
    outputs: IntArray
    output_starts: IntArray
    systems: IntArray


def sums_of_groups(annotations: Annotations, groups: Groups) -> IntArray:
    """Return weights and numbers of chunks: (rows, 2, tp, fp, fn and tn, and all).

    A row is a hypothesis of a group beside one annotation of its gold. FP and FN is both.
    """
    n_rows = np.diff(groups.gold_starts) @ np.diff(groups.hypothesis_starts)
    sums = np.zeros((n_rows, 2, len(OUTCOMES)), dtype=np.int64)
    n_places = np.diff(annotations.place_starts).max(initial=0)
    n_edits = np.diff(annotations.edit_starts).max(initial=0)
    outcomes, weights = np.zeros((2, n_places + n_edits), dtype=np.int64)
    _add_groups(annotations, chunks_of(annotations), groups, outcomes, weights, sums)
    tp, fp, fp_and_fn, fn, tn = np.moveaxis(sums, -1, 0)
    return np.stack([tp, fp + fp_and_fn, fn + fp_and_fn, tn, sums.sum(axis=-1)], axis=-1)


@compiled
def _add_groups(
    annotations: Annotations,
    chunks: Chunks,
    groups: Groups,
    outcomes: IntArray,
    weights: IntArray,
    sums: IntArray,
) -> None:
    """Add up one group after the other; `outcomes` and `weights` have room for any annotation."""
    row = 0
    for group in range(groups.gold_starts.size - 1):
        first, last = groups.gold_starts[group], groups.gold_starts[group + 1]
        start, stop = groups.hypothesis_starts[group], groups.hypothesis_starts[group + 1]
        for column in range(last - first):
            gold = groups.gold[first + column]
            weights[:] = 0
            for place in range(groups.output_starts[group], groups.output_starts[group + 1]):
                n_chunks = _compare(annotations, chunks, gold, groups.outputs[place], outcomes)
                for chunk in range(n_chunks):
                    if outcomes[chunk] != TP and outcomes[chunk] != TN:
                        weights[chunk] += groups.systems[place]
            for place in range(stop - start):
                hypothesis = groups.hypotheses[start + place]
                _compare(annotations, chunks, gold, hypothesis, outcomes)
                here = row + place * (last - first) + column
                _add(annotations, chunks, gold, outcomes, weights, sums[here])
        row += (last - first) * (stop - start)


@compiled
def _compare(
    annotations: Annotations, chunks: Chunks, gold: int, hypothesis: int, outcomes: IntArray
) -> int:
    """Write what a hypothesis does to the chunks of an annotation, and return their number.

    Those of the unchanged source first, as if the annotation left all of them.
    """
    origin = annotations.place_starts[hypothesis]
    n_chunks = annotations.place_starts[hypothesis + 1] - origin
    for place in range(n_chunks):
        outcomes[place] = chunks.outcomes[origin + place]
    for edit in range(annotations.edit_starts[gold], annotations.edit_starts[gold + 1]):
        start, end, text = (
            annotations.starts[edit],
            annotations.ends[edit],
            annotations.texts[edit],
        )
        found = outcome(annotations, chunks, hypothesis, start, end, text)
        outcomes[n_chunks] = FP_AND_FN if found == FP else found
        n_chunks += 1
    return int(n_chunks)


@compiled
def _add(
    annotations: Annotations,
    chunks: Chunks,
    gold: int,
    outcomes: IntArray,
    weights: IntArray,
    sums: IntArray,
) -> None:
    """Add up the weights and numbers of an annotation's chunks by their outcomes."""
    origin = annotations.place_starts[gold]
    n_places = annotations.place_starts[gold + 1] - origin
    n_edits = annotations.edit_starts[gold + 1] - annotations.edit_starts[gold]
    for chunk in range(n_places + n_edits):
        times = chunks.times[origin + chunk] if chunk < n_places else 1
        sums[0, outcomes[chunk]] += times * weights[chunk]
        sums[1, outcomes[chunk]] += times
