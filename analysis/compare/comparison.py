"""Run a complete comparison: from gold and outputs to scores, tests, error types and edit lists."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from maege.analysis.compare.edits import CountedSystems, changes, counts_of, sentences
from maege.analysis.compare.extraction import Extraction, Store
from maege.analysis.compare.gold import Inputs
from maege.analysis.compare.inference import (
    Resampled,
    Resampling,
    Tested,
    comparisons,
    pairs_of,
    resampled_metric,
    resampled_scores,
    scores,
    tested_pairs,
)
from maege.analysis.compare.preparation import (
    ERRANT,
    M2,
    Prepared,
    notes_of,
    prepare,
    references_of,
    smallest_difference,
)
from maege.analysis.compare.results import (
    Annotator,
    ByAnnotator,
    Comparison,
    Counts,
    Gold,
    Result,
    Sentence,
    Signature,
    System,
)
from maege.analysis.compare.types import type_rows
from maege.analysis.metrics.errant import Errant, ErrantScore
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.m2 import family as m2
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores.formula import f_of_sums
from maege.analysis.metrics.scores.score import Pair
from maege.analysis.statistics.randomisation import randomisation_p
from maege.analysis.statistics.resampling import too_few
from maege.analysis.system_scores import swapped_differences


def compare_systems(inputs: Inputs, store: Store, processes: int = 0) -> Result:
    """Compare systems. With too few sentences there are no intervals, tests and ranks.

    Args:
        inputs: gold, outputs and settings. Each output has a text for each source.
        store: edits and counts of earlier comparisons.
        processes: number of processes that parse texts; 0 parses in this process.
    """
    n_sentences = len(inputs.gold.gold.sources)
    if too_few(sentences=n_sentences):
        inputs = replace(inputs, settings=replace(inputs.settings, resamples=0))
    settings = inputs.settings
    extraction = Extraction(settings.language, store, processes)
    clock = _Clock()
    prepared = prepare(inputs, extraction, store)
    clock.stop("edits")
    resampling = Resampling(n_sentences, settings.resamples, settings.seed)
    tests = _tests(inputs, prepared, resampling)
    names = [output.name for output in inputs.outputs]
    compared = _comparisons(inputs, prepared, resampling, tests, names)
    against_base = [(0, other) for other in range(1, len(names))]
    types = [
        row
        for pair in against_base
        if prepared.types is not None
        for row in type_rows(prepared.types, resampling, names, pair, settings.beta)
    ]
    clock.stop("statistics")
    all_sentences = _sentences(inputs, prepared, names)
    lists = [changes(all_sentences, names, *pair) for pair in against_base]
    clock.stop("lists")
    metric_scores = {metric: scores(tested) for metric, tested in tests.items()}
    return Result(
        signature=_signature(inputs, prepared, extraction),
        gold=_gold(inputs, prepared),
        systems=tuple(
            System(
                output.name,
                output.path,
                output.sha256,
                place == 0,
                output.empty_lines,
                {metric: of_systems[place] for metric, of_systems in metric_scores.items()},
            )
            for place, output in enumerate(inputs.outputs)
        ),
        comparisons=tuple(compared),
        types=tuple(types),
        type_sums=_type_sums(prepared, names, settings.beta),
        changes=tuple(change for pair_changes, _ in lists for change in pair_changes),
        totals=tuple(totals for _, totals in lists),
        sentences=all_sentences,
        notes=(*inputs.notes, *notes_of(inputs, prepared, compared)),
        f_as_given=dict(zip(names, prepared.f_as_given or (), strict=False)),
        smallest_difference=smallest_difference(
            [each.se for each in compared if each.metric == ERRANT and each.se is not None]
        ),
        seconds=clock.seconds,
    )


class _Clock:
    """Measures the seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stop(self, step: str) -> None:
        """Record the time of a step."""
        now = time.perf_counter()
        self.seconds[step], self._last = now - self._last, now


def _tests(inputs: Inputs, prepared: Prepared, resampling: Resampling) -> dict[str, Tested]:
    settings = inputs.settings
    resampled = {ERRANT: _resampled_counts(ERRANT, prepared.errant, settings.beta, resampling)}
    if prepared.m2 is not None:
        resampled[M2] = _resampled_counts(M2, prepared.m2, settings.beta, resampling)
    for metric in settings.metrics:
        if metric not in (ERRANT, M2):
            resampled[metric] = resampled_metric(
                metric,
                prepared.given.sources,
                references_of(inputs, prepared),
                [output.texts for output in inputs.outputs],
                resampling,
            )
    return {metric: tested_pairs(scored, settings.alpha) for metric, scored in resampled.items()}


def _resampled_counts(
    metric: str, counted: CountedSystems, beta: float, resampling: Resampling
) -> Resampled:
    counts = [counts_of(total, beta) for total in counted.sums.sum(axis=1)]
    nothing = np.zeros(counted.positions.shape)
    if metric == ERRANT:
        statistics = {ERRANT: _errant_statistics(counted.sums)}
        return resampled_scores(metric, ErrantScore(beta), nothing, statistics, resampling, counts)
    statistics = {M2: counted.sums[:, :, np.newaxis]}
    return resampled_scores(metric, m2.M2Score(beta), nothing, statistics, resampling, counts)


def _errant_statistics(sums: FloatArray) -> FloatArray:
    tp = sums[..., :1]
    return np.concatenate([tp, sums[..., 1:] - tp], axis=-1)[:, :, np.newaxis]


def _comparisons(
    inputs: Inputs,
    prepared: Prepared,
    resampling: Resampling,
    tests: Mapping[str, Tested],
    names: Sequence[str],
) -> list[Comparison]:
    settings = inputs.settings
    everything = pairs_of(len(names))
    pairs = everything if settings.all_pairs else everything[: len(names) - 1]
    texts = [output.texts for output in inputs.outputs]
    same = frozenset(pair for pair in pairs if texts[pair[0]] == texts[pair[1]])
    by_annotator = _by_annotator(prepared, resampling, pairs, settings.beta)
    return [
        comparison
        for metric, tested in tests.items()
        for comparison in comparisons(
            tested, names, pairs, same, by_annotator if metric == ERRANT else {}, settings.margin
        )
    ]


def _by_annotator(
    prepared: Prepared, resampling: Resampling, pairs: Sequence[Pair], beta: float
) -> dict[Pair, tuple[ByAnnotator, ...]]:
    if len(prepared.given.annotators) == 1 or not pairs:
        return {}
    differences: dict[Pair, list[ByAnnotator]] = {pair: [] for pair in pairs}
    for annotator, sums in _counts_by_annotator(prepared).items():
        n = sum(annotator in annotations for annotations in prepared.gold.annotations)
        values = f_of_sums(sums.sum(axis=1), beta)
        difference = np.array([values[b] - values[a] for a, b in pairs])
        p_values: list[float | None] = [None] * len(pairs)
        if resampling.resamples and not too_few(sentences=n):
            statistics = {ERRANT: _errant_statistics(sums)}
            moved = swapped_differences(
                ErrantScore(beta), sums[..., 0], statistics, resampling.swaps, pairs
            )
            p_values = [*randomisation_p(difference, moved).tolist()]
        for pair, value, p in zip(pairs, difference.tolist(), p_values, strict=True):
            differences[pair].append(ByAnnotator(annotator, n, value, p))
    return {pair: tuple(by_annotator) for pair, by_annotator in differences.items()}


def _counts_by_annotator(prepared: Prepared) -> dict[str, FloatArray]:
    """Return ERRANT's counts with each annotator, shape (systems, sentences, 3).

    Counts are 0 for an annotator without a line.
    """
    shape = (*prepared.errant.positions.shape, 3)
    sums = {annotator: np.zeros(shape) for annotator in prepared.gold.annotators}
    for sentence, (annotations, counts) in enumerate(
        zip(prepared.gold.annotations, prepared.errant.by_annotator, strict=True)
    ):
        for place, annotator in enumerate(annotations):
            sums[annotator][:, sentence] = counts[:, place]
    return sums


def _sentences(inputs: Inputs, prepared: Prepared, names: Sequence[str]) -> tuple[Sentence, ...]:
    counts = [
        [(tp, proposed - tp, gold - tp) for tp, proposed, gold in sums]
        for sums in prepared.errant.sums.astype(np.int64).tolist()
    ]
    return sentences(
        prepared.gold.sources,
        prepared.gold.annotations,
        names,
        [output.texts for output in inputs.outputs],
        prepared.outputs,
        prepared.errant.positions.tolist(),
        counts,
    )


def _type_sums(prepared: Prepared, names: Sequence[str], beta: float) -> dict[str, Counts]:
    if prepared.types is None:
        return {}
    totals = prepared.types.sums.sum(axis=1)
    return {name: counts_of(total, beta) for name, total in zip(names, totals, strict=True)}


def _gold(inputs: Inputs, prepared: Prepared) -> Gold:
    given = prepared.given
    return Gold(
        inputs.gold.path,
        inputs.gold.sha256,
        len(inputs.gold.gold.sources),
        tuple(
            Annotator(
                annotator,
                sum(annotator in annotations for annotations in given.annotations),
                sum(len(annotations.get(annotator, ())) for annotations in given.annotations),
            )
            for annotator in given.annotators
        ),
        prepared.edits,
        prepared.types_from,
    )


def _signature(inputs: Inputs, prepared: Prepared, extraction: Extraction) -> Signature:
    settings = inputs.settings
    metrics = {ERRANT: Errant(settings.match).signature()}
    for metric in settings.metrics:
        if metric == M2:
            metrics[metric] = m2.M2(settings.beta).signature()
        elif metric != ERRANT:
            metrics[metric] = METRICS[metric].signature()
    return Signature(
        maege=inputs.maege,
        extractor=extraction.signature,
        metrics=metrics,
        language=settings.language,
        match=settings.match,
        gold_edits=prepared.edits,
        beta=settings.beta,
        tier=settings.tier,
        resamples=settings.resamples,
        seed=settings.seed,
        alpha=settings.alpha,
        margin=settings.margin,
        all_pairs=settings.all_pairs,
    )
