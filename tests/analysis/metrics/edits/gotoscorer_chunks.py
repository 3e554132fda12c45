"""The chunks of an annotation, listed one by one."""

from collections.abc import Sequence
from typing import NamedTuple

from maege.analysis.metrics.gotoscorer import TN, TP, chunks_of


class Chunk(NamedTuple):
    """Source tokens from `start` to `end` (exclusive), and the text in their place."""

    start: int
    end: int
    text: str
    is_edit: bool


def chunks(source: str, gold: str) -> list[Chunk]:
    """Return the chunks of an annotation by span, with edits last."""
    return [chunk for chunk, _ in judged_chunks(source, gold, ())]


def judged_chunks(source: str, gold: str, outputs: Sequence[str]) -> list[tuple[Chunk, int]]:
    """Return the chunks, each with the number of outputs that get it right."""
    annotation = chunks_of(source, gold, is_gold=True)
    hypotheses = [chunks_of(source, output) for output in outputs]
    listed = []
    for place, text in enumerate(annotation.places):
        chunk = Chunk(place // 2, (place + 1) // 2, text, is_edit=False)
        right = sum(output.touched.get(place, TN) in (TP, TN) for output in hypotheses)
        listed += [(chunk, right)] * annotation.times[place]
    for edit in annotation.edits:
        right = sum(output.outcome(edit) in (TP, TN) for output in hypotheses)
        listed.append((Chunk(*edit, is_edit=True), right))
    return sorted(listed, key=lambda judged: judged[0][:2])
