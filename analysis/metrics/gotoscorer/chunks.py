"""Cut a sentence into GoToScorer's chunks, and evaluate a hypothesis on the gold's chunks.

There is no common partition: each annotation cuts the source separately. Each edit is a chunk, and
so is every token that no edit changes. An empty chunk, where a token could be inserted, precedes
each of them and ends the sentence, unless the chunk before it is an insertion. Only the chunks of
the gold count.

Chunks of the unchanged source have a position, start + end: empty chunks have even positions,
tokens odd ones.
"""

from functools import lru_cache
from typing import NamedTuple

from maege.analysis.edits import BARS, EDIT_SEPARATOR, parse_edit

# What a hypothesis does to a chunk of the gold. It edits the chunk correctly; it edits the chunk
# wrongly, where the gold keeps or edits it; it keeps a chunk that the gold edits; or it keeps a
# chunk that the gold keeps.
OUTCOMES = ("tp", "fp", "fp_and_fn", "fn", "tn")
TP, FP, FP_AND_FN, FN, TN = range(len(OUTCOMES))

# An annotation that only detects an error is not an edit.
_PASSED_OVER = frozenset({"noop", "UNK", "Um"})


class ChunkEdit(NamedTuple):
    """The source tokens from `start` to `end` (exclusive), and the text that replaces them."""

    start: int
    end: int
    text: str


class Chunks:
    """The chunks of an annotation.

    `edits` are in the order of the file. `places` holds the texts of the chunks of the unchanged
    source, and `times` how often the annotation keeps each of them.
    """

    def __init__(self, source: str, edits: list[ChunkEdit]) -> None:
        tokens = source.split()
        self.edits = edits
        self.places = [""] * (2 * len(tokens) + 1)
        self.places[1::2] = tokens
        self.times = [0] * len(self.places)
        # Each position is kept for the first time before one of the edits. The edits are not
        # sorted.
        self._left_before: dict[int, int] = {}
        token = is_inserted = 0
        for number, (start, end, _) in enumerate([*edits, (len(tokens), len(tokens) + 1, "")]):
            # Tokens between overlapping edits count twice.
            for place in range(2 * min(token, start) + is_inserted, 2 * start + (start < end)):
                self.times[place] += 1
                self._left_before.setdefault(place, number)
            token, is_inserted = end, int(start == end)
        # Empty chunks within a longer edit are correct.
        self.touched = {
            place: self.outcome(ChunkEdit(place // 2, (place + 1) // 2, self.places[place]))
            for start, end, _ in edits
            for place in range(2 * start + (start < end), 2 * end + (start == end), 2)
        }

    def outcome(self, chunk: ChunkEdit) -> int:
        """Return what the annotation, as a hypothesis, does to a chunk of the gold.

        If the hypothesis has a chunk with the same span and text, the chunk is correct. If it has
        another edit of the same span or an overlapping edit, the chunk is FP. Otherwise it is FN.
        """
        start, end, text = chunk
        left_before = len(self.edits) + 1
        if end - start <= 1 and self.places[start + end] == text:
            left_before = self._left_before.get(start + end, left_before)
        is_edited = False
        for number, edit in enumerate(self.edits):
            if left_before <= number:
                return TN
            if edit.start == start and edit.end == end:
                if edit.text == text:
                    return TP
                is_edited = True
            elif start < end and (start <= edit.start < end or edit.start <= start < edit.end):
                is_edited = True
        if left_before <= len(self.edits):
            return TN
        return FP if is_edited else FN


# Groups of the same sentence share many annotations.
@lru_cache(maxsize=4096)
def chunks_of(source: str, annotation: str, *, is_gold: bool = False) -> Chunks:
    """Return the chunks of an annotation in text form.

    Gold edits that end beyond the source are ignored, because nothing can match them. Raises
    ValueError for other edits outside the source.
    """
    length = len(source.split())
    edits = []
    for line in filter(None, annotation.split(EDIT_SEPARATOR)):
        start, end, error_type, corrections, _ = parse_edit(line)
        if error_type in _PASSED_OVER or (is_gold and end > length):
            continue
        text = BARS.join(corrections)
        if not 0 <= start <= end <= length:
            message = (
                f"an edit of tokens {start} to {end} in a sentence of {length}, with the "
                f"correction {text!r}; correct the span or give the edit its own sentence"
            )
            raise ValueError(message)
        edits.append(ChunkEdit(start, end, text))
    return Chunks(source, edits)
