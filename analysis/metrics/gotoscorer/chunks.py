"""Chunks of a sentence as GoToScorer cuts them, and what a hypothesis does to those of the gold.

There is no common partition: each annotation cuts the source by itself. An edit is a chunk, and so
is every token that it leaves; before each of them, and at the end, stands an empty one where
something could be inserted, unless the chunk before it is an insertion. The chunks of the gold are
the ones that count.

Those of the unchanged source have a place, start + end: even ones are empty, odd ones tokens.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from maege.analysis.metrics.compiled import compiled

IntArray = NDArray[np.int64]

# What a hypothesis does to a chunk of the gold: it edits it, rightly or not, the latter where the
# gold leaves it or edits it, too; or it leaves what the gold edits, or what the gold leaves.
OUTCOMES = ("tp", "fp", "fp_and_fn", "fn", "tn")
TP, FP, FP_AND_FN, FN, TN = range(len(OUTCOMES))

# The number of the text without tokens.
NOTHING = 0
# Later than any edit.
_NEVER = np.iinfo(np.int64).max


class Annotations(NamedTuple):
    """Annotations of sources, whose tokens and texts are numbered alike.

    Annotation a has edits `edit_starts[a]` to before `edit_starts[a + 1]`, in the order of the
    file, and places from `place_starts[a]` to before `place_starts[a + 1]`; `places` are the texts
    of the chunks of its source.
    """

    edit_starts: IntArray
    starts: IntArray
    ends: IntArray
    texts: IntArray
    place_starts: IntArray
    places: IntArray


class Chunks(NamedTuple):
    """What annotations do to the chunks of their sources, beside their edits.

    As a gold they leave each `times`; as a hypothesis they do so for the first time before the edit
    `left_before`, and `outcomes` is what becomes of each, if the gold leaves it.
    """

    times: IntArray
    left_before: IntArray
    outcomes: IntArray


def chunks_of(annotations: Annotations) -> Chunks:
    """Return what all annotations do."""
    size = annotations.places.size
    chunks = Chunks(*(np.full(size, value, dtype=np.int64) for value in (0, _NEVER, TN)))
    _cut(annotations, chunks)
    return chunks


@compiled()
def _cut(annotations: Annotations, chunks: Chunks) -> None:
    """Write what is left between edits, which nobody sorts, and what becomes of the rest."""
    edit_starts, starts, ends, _, place_starts, places = annotations
    for annotation in range(edit_starts.size - 1):
        first, last = edit_starts[annotation], edit_starts[annotation + 1]
        origin = place_starts[annotation]
        n_tokens = (place_starts[annotation + 1] - origin) // 2
        token = is_inserted = 0
        for edit in range(first, last + 1):
            start = starts[edit] if edit < last else n_tokens
            end = ends[edit] if edit < last else n_tokens + 1
            # What lies between edits that overlap is not there.
            begin = 2 * min(token, start) + is_inserted
            for place in range(origin + begin, origin + 2 * start + (start < end)):
                chunks.times[place] += 1
                chunks.left_before[place] = min(chunks.left_before[place], edit)
            token, is_inserted = end, int(start == end)
        # Empty chunks within a longer edit are right.
        for edit in range(first, last):
            start, end = starts[edit], ends[edit]
            for place in range(2 * start + (start < end), 2 * end + (start == end), 2):
                text = places[origin + place]
                chunks.outcomes[origin + place] = outcome(
                    annotations, chunks, annotation, place // 2, (place + 1) // 2, text
                )


@compiled()
def outcome(
    annotations: Annotations, chunks: Chunks, hypothesis: int, start: int, end: int, text: int
) -> int:
    """Return what a hypothesis does to a chunk of the gold; FP if it edits it wrongly.

    Its own chunk settles it: the same span and text. Other edits of the same span, and those that
    overlap, are wrong. Where there is nothing, because it inserts within a longer edit, it is left.
    """
    _, starts, ends, texts, place_starts, places = annotations
    left_before = _NEVER
    if end - start <= 1:
        place = place_starts[hypothesis] + start + end
        if places[place] == text:
            left_before = chunks.left_before[place]
    first, last = annotations.edit_starts[hypothesis], annotations.edit_starts[hypothesis + 1]
    is_edited = False
    for edit in range(first, last):
        if left_before <= edit:
            return TN
        if starts[edit] == start and ends[edit] == end:
            if texts[edit] == text:
                return TP
            is_edited = True
        elif start < end and (start <= starts[edit] < end or starts[edit] <= start < ends[edit]):
            is_edited = True
    if left_before <= last:
        return TN
    return FP if is_edited else FN
