"""How many systems get each chunk of a gold wrong, and the sums of that over a hypothesis."""

from typing import NamedTuple

import numpy as np

from maege.analysis.metrics.compiled import compiled
from maege.analysis.metrics.gotoscorer.chunks import (
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
    weights = np.zeros(n_places + n_edits, dtype=np.int64)
    _add_groups(annotations, chunks_of(annotations), groups, weights, sums)
    tp, fp, fp_and_fn, fn, tn = np.moveaxis(sums, -1, 0)
    return np.stack([tp, fp + fp_and_fn, fn + fp_and_fn, tn, sums.sum(axis=-1)], axis=-1)


@compiled()
def _add_groups(
    annotations: Annotations,
    chunks: Chunks,
    groups: Groups,
    weights: IntArray,
    sums: IntArray,
) -> None:
    """Add up one group after the other; `weights` has room for the chunks of any annotation.

    Those of the unchanged source come first, which weigh the same in every annotation, then edits.
    """
    place_starts, edit_starts = annotations.place_starts, annotations.edit_starts
    row = 0
    for group in range(groups.gold_starts.size - 1):
        first, last = groups.gold_starts[group], groups.gold_starts[group + 1]
        start, stop = groups.hypothesis_starts[group], groups.hypothesis_starts[group + 1]
        weights[:] = 0
        n_places = 0
        for output in range(groups.output_starts[group], groups.output_starts[group + 1]):
            origin = place_starts[groups.outputs[output]]
            n_places = place_starts[groups.outputs[output] + 1] - origin
            for place in range(n_places):
                found = chunks.outcomes[origin + place]
                if found != TP and found != TN:
                    weights[place] += groups.systems[output]
        for column in range(last - first):
            gold = groups.gold[first + column]
            weights[n_places:] = 0
            for output in range(groups.output_starts[group], groups.output_starts[group + 1]):
                hypothesis = groups.outputs[output]
                for edit in range(edit_starts[gold], edit_starts[gold + 1]):
                    found = _of_edit(annotations, chunks, edit, hypothesis)
                    if found != TP and found != TN:
                        weights[n_places + edit - edit_starts[gold]] += groups.systems[output]
            for place in range(stop - start):
                hypothesis = groups.hypotheses[start + place]
                here = row + place * (last - first) + column
                _add(annotations, chunks, gold, hypothesis, weights, sums[here])
        row += (last - first) * (stop - start)


@compiled()
def _of_edit(annotations: Annotations, chunks: Chunks, edit: int, hypothesis: int) -> int:
    """Return what a hypothesis does to an edit of the gold."""
    start, end, text = annotations.starts[edit], annotations.ends[edit], annotations.texts[edit]
    return outcome(annotations, chunks, hypothesis, start, end, text)


@compiled()
def _add(
    annotations: Annotations,
    chunks: Chunks,
    gold: int,
    hypothesis: int,
    weights: IntArray,
    sums: IntArray,
) -> None:
    """Add up the weights and numbers of an annotation's chunks by what becomes of them."""
    origin = annotations.place_starts[gold]
    shift = annotations.place_starts[hypothesis] - origin
    n_places = annotations.place_starts[gold + 1] - origin
    for place in range(n_places):
        times, found = chunks.times[origin + place], chunks.outcomes[origin + shift + place]
        sums[0, found] += times * weights[place]
        sums[1, found] += times
    first = annotations.edit_starts[gold]
    for edit in range(first, annotations.edit_starts[gold + 1]):
        found = _of_edit(annotations, chunks, edit, hypothesis)
        if found == FP:
            found = FP_AND_FN
        sums[0, found] += weights[n_places + edit - first]
        sums[1, found] += 1
