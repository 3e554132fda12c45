"""The chunks of an annotation, listed one by one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from maege.analysis.metrics.families.base import GoldGroup
from maege.analysis.metrics.gotoscorer.chunks import TN, TP, chunks_of, outcome
from maege.analysis.metrics.gotoscorer.encoding import Encoder


class Chunk(NamedTuple):
    """Tokens `start` to before `end` of the source, and what stands there instead."""

    start: int
    end: int
    text: str
    is_edit: bool


def chunks(source: str, gold: str) -> list[Chunk]:
    """Return the chunks of an annotation by their spans, edits last."""
    return [chunk for chunk, _ in judged_chunks(source, gold, ())]


def judged_chunks(source: str, gold: str, outputs: Sequence[str]) -> list[tuple[Chunk, int]]:
    """Return the same, each with the number of outputs that get it right."""
    encoder = Encoder()
    encoder.add_group(GoldGroup(source, (gold,), tuple(outputs)))
    annotations, texts = encoder.annotations(), encoder.texts()
    found = chunks_of(annotations)
    hypotheses = encoder.groups().hypotheses
    # The gold is the first annotation.
    listed = []
    for place in range(annotations.place_starts[1]):
        chunk = Chunk(place // 2, (place + 1) // 2, texts[annotations.places[place]], is_edit=False)
        becomes = found.outcomes[annotations.place_starts[hypotheses] + place]
        listed += [(chunk, int(np.isin(becomes, (TP, TN)).sum()))] * found.times[place]
    for edit in range(annotations.edit_starts[1]):
        start, end, text = (column[edit] for column in annotations[1:4])
        right = [
            outcome(annotations, found, hypothesis, start, end, text) in (TP, TN)
            for hypothesis in hypotheses
        ]
        listed.append((Chunk(start, end, texts[text], is_edit=True), sum(right)))
    return sorted(listed, key=lambda judged: judged[0][:2])
