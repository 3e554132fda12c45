"""Tables 10 and 11 of the I-measure paper, and the sentences that they cover."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from maege.analysis.edits import Annotation, Edit
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.formula import f_of_shares
from maege.analysis.metrics.imeasure import (
    COUNTS,
    Correction,
    clusters,
    listed_corrections,
    overlap,
)
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import CountedScore, resampled
from maege.analysis.papers.numbers import BandedNumber

Span = tuple[int, int]


def agree(annotations: Sequence[Annotation | None]) -> bool:
    """Return whether the annotators of a sentence agree; None for one without a line."""
    annotators = frozenset(n for n, annotation in enumerate(annotations) if annotation is not None)
    corrections = [*listed_corrections(annotations)]
    sharing: dict[tuple[int, int, str], set[int]] = defaultdict(set)
    for correction in corrections:
        sharing[_identity(correction.edit)].add(correction.annotator)
    disputed = [
        correction
        for correction in corrections
        if sharing[_identity(correction.edit)] != annotators
    ]
    shared, other_spans = [], set()
    for cluster in clusters(disputed, _touch):
        spans = _spans(cluster)
        if spans.keys() == annotators:
            shared.append(spans)
        else:
            other_spans.add(frozenset(spans))
    return not other_spans or (
        len(other_spans) == 1
        and all(len(set(map(frozenset, spans.values()))) == 1 for spans in shared)
    )


def _identity(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.corrections[0].lower()


def _touch(first: Edit, second: Edit) -> bool:
    """Return whether two edits overlap, or one inserts at the edge of the other."""
    inserted, spanning = sorted((first, second), key=lambda edit: edit.end > edit.start)
    is_at_edge = inserted.start == inserted.end and spanning.start <= inserted.start <= spanning.end
    return is_at_edge or overlap(first, second)


def _spans(cluster: Sequence[Correction]) -> dict[int, set[Span]]:
    spans: dict[int, set[Span]] = defaultdict(set)
    for correction in cluster:
        spans[correction.annotator].add((correction.edit.start, correction.edit.end))
    return spans


# --- Tables 10 and 11 of the I-measure paper (Felice and Briscoe 2015): M2 and I of the systems ---
#
# On the sentences that `agreeing_sentences` selects, and on all. The paper's 711 sentences are
# unknown. Repeated samples of 711 of the agreeing sentences show how far the paper's numbers may
# deviate.

# The exhibit of each metric, and its printed measures; all if none are listed.
EXHIBITS = {"m2": ("table_10", ("p", "r", "f")), "imeasure_mix": ("table_11", None)}
SENTENCES = 711
DRAWS = 1000
# The paper prints F0.5, although its program reports F1.
BETA = 0.5


def counted_score(metric: str) -> CountedScore:
    score = METRICS[metric].score
    if not isinstance(score, CountedScore):
        raise TypeError(f"expected a metric that reports counts, found {metric}")
    return score


def cells(
    metric: str, systems: list[str], statistics: FloatArray, agreeing: NDArray[np.bool_], seed: int
) -> Iterator[BandedNumber]:
    """`statistics` of the metric have shape (systems, sentences, annotators, statistics)."""
    exhibit, columns = EXHIBITS[metric]
    score = counted_score(metric)
    all_addends, agreeing_addends = (
        score.addends(part) for part in (statistics, statistics[:, agreeing])
    )
    reproduced, corrected = (
        _printed(score, part.sum(axis=1)) for part in (agreeing_addends, all_addends)
    )
    samples = _printed(score, resampled(agreeing_addends, _draws(agreeing_addends.shape[1], seed)))
    for column in columns or reproduced:
        low, high = np.quantile(samples[column], [0.025, 0.975], axis=0)
        for place, system in enumerate(systems):
            numbers = reproduced[column], corrected[column], low, high
            yield BandedNumber(
                exhibit, system, column, *(float(values[place]) for values in numbers)
            )


def _draws(n_sentences: int, seed: int) -> FloatArray:
    """Return 1 for sentences in a sample, else 0: shape (draws, sentences)."""
    generator = np.random.Generator(np.random.PCG64(seed))
    weights = np.zeros((DRAWS, n_sentences))
    for draw in weights:
        draw[generator.permutation(n_sentences)[:SENTENCES]] = 1
    return weights


def _printed(score: CountedScore, sums: FloatArray) -> Mapping[str, FloatArray]:
    """Return the measures of corrections as printed: counts, and everything else in per cent."""
    measures = score.reported(sums)["correction"]
    measures = {**measures, "f": f_of_shares(measures["p"], measures["r"], BETA)}
    return {name: values if name in COUNTS else 100 * values for name, values in measures.items()}
