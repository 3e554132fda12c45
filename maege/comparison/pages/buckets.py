"""Scores by sentence length, and numbers of sentences by score, as in compare-mt."""

from collections.abc import Iterator, Sequence

import numpy as np

from maege.analysis.compare.results import Result, Sentence
from maege.analysis.metrics.scores.formula import f_of_sums
from maege.comparison.numbers import metric_name
from maege.comparison.pages.tables import ERRANT, Cell, Table
from maege.numbers import format_number

# The longest sentence of each group, in tokens; the last group has no limit.
LENGTHS = (10, 20, 30, 40)
# The highest score of each group.
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def bucket_tables(result: Result) -> Iterator[Table]:
    """Yield F by sentence length, and the number of sentences by F."""
    systems = tuple(system.name for system in result.systems)
    name = metric_name(ERRANT, result.signature.beta)
    by_length = _by_length(result.sentences)
    rows = tuple(
        (
            Cell(label),
            Cell(f"{len(group):,}"),
            *(Cell(format_number(_f_of(group, place, result), 3)) for place in range(len(systems))),
        )
        for label, group in by_length
    )
    caption = f"{name} by the number of tokens of the source sentence."
    yield Table(caption, ("tokens", "sentences", *systems), 1, rows)
    scores = [
        [_f_of([sentence], place, result) for sentence in result.sentences]
        for place in range(len(systems))
    ]
    lowest = (-1.0, *SCORES)
    rows = tuple(
        (
            Cell(_score_label(low, high)),
            *(Cell(f"{sum(low < score <= high for score in of):,}") for of in scores),
        )
        for low, high in zip(lowest, SCORES, strict=False)
    )
    yield Table(f"Number of sentences by their {name}.", ("score", *systems), 1, rows)


def _by_length(sentences: Sequence[Sentence]) -> Iterator[tuple[str, list[Sentence]]]:
    """Yield the groups that have sentences, with their names."""
    for low, high in zip((0, *LENGTHS), (*LENGTHS, None), strict=True):
        group = [
            sentence
            for sentence in sentences
            if low < _length(sentence) and (high is None or _length(sentence) <= high)
        ]
        if group:
            yield f"{low + 1}–{high}" if high else f"more than {low}", group


def _length(sentence: Sentence) -> int:
    return len(sentence.source.split())


def _f_of(sentences: Sequence[Sentence], place: int, result: Result) -> float:
    """Return F of the summed counts of a system, the one at `place`."""
    counts = [sentence.systems[place].counts for sentence in sentences]
    tp, fp, fn = (sum(column) for column in zip(*counts, strict=True))
    return float(f_of_sums(np.array([tp, tp + fp, tp + fn], float), result.signature.beta))


def _score_label(low: float, high: float) -> str:
    return "0" if high == 0 else f"above {max(low, 0):g}, up to {high:g}"
