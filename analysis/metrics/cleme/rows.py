"""Chunks as rows: compare the hypothesis with all references, chunk by chunk."""

from collections.abc import Sequence
from typing import NamedTuple

from maege.analysis.edits import gold_annotations, parse_annotation
from maege.analysis.metrics.cleme.family import FN, FP_NE, FP_UN, TN, TP, outcome_of_all
from maege.analysis.metrics.cleme.partition import Chunk, Partition

# Verdict for each count of the independent assumption. If a changed chunk counts as TN, some
# references change it, but the hypothesis and the other references do not.
VERDICTS = {TP: "right", FP_NE: "wrong", FP_UN: "unnecessary", FN: "missed", TN: "optional"}


class ChunkRow(NamedTuple):
    """A changed chunk. `positions` are the positions of its references in the gold."""

    chunk_index: int
    start_token: int
    end_token: int
    original: str
    hypothesis_text: str
    positions: list[int]
    reference_texts: list[str]
    verdict: str


def chunk_rows(
    source: str, gold: Sequence[str | None], hypotheses: Sequence[str]
) -> list[list[ChunkRow]]:
    """Return the chunks of each hypothesis, in order; gold and hypotheses are annotations."""
    annotations = gold_annotations(gold, source)
    partition = Partition(source.split(), annotations)
    return [
        [
            _row(index, chunk, partition.positions)
            for index, chunk in enumerate(partition.changed(parse_annotation(text)))
        ]
        for text in hypotheses
    ]


def _row(index: int, chunk: Chunk, positions: list[int]) -> ChunkRow:
    hypothesis, *references = (
        chunk.source if text is None else text for text in (chunk.hypothesis, *chunk.references)
    )
    return ChunkRow(
        index,
        chunk.start,
        chunk.end,
        chunk.source,
        hypothesis,
        positions,
        references,
        VERDICTS[outcome_of_all(chunk)],
    )
