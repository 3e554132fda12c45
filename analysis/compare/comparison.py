"""A whole comparison: from gold and outputs to scores, tests, types and lists of edits."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from maege.analysis.compare.edits.counts import counts_of
from maege.analysis.compare.edits.edit_lists import changes, sentences
from maege.analysis.compare.edits.extraction import Extraction, Store
from maege.analysis.compare.edits.prepared import (
    ERRANT,
    M2,
    Prepared,
    prepare,
    references_of,
    smallest_difference,
)
from maege.analysis.compare.inference import type_table
from maege.analysis.compare.inference.resampling import Sums, resampled_sums
from maege.analysis.compare.inference.significance import randomisation_p
from maege.analysis.compare.inference.statistics import (
    Tested,
    columns_of,
    comparisons,
    pairs_of,
    resampled_counts,
    scores,
    swapped_differences,
    tested,
)
from maege.analysis.compare.inputs import Inputs
from maege.analysis.compare.notes import notes_of
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
from maege.analysis.metrics.errant import Errant
from maege.analysis.metrics.families.base import FloatArray
from maege.analysis.metrics.scores.f_score import f_of_sums
from maege.analysis.metrics.scores.score import Pair
from maege.analysis.statistics.resampling import too_few


def compare_systems(inputs: Inputs, store: Store, processes: int = 0) -> Result:
    """Return how the systems compare; of too few sentences nothing is inferred.

    Args:
        inputs: gold, outputs and settings; outputs have a text for each source.
        store: edits and counts of texts that were found before.
        processes: that parse texts beside each other; 0 parses in this one.

    """
    if too_few(sentences=len(inputs.gold.gold.sources)):
        inputs = replace(inputs, settings=replace(inputs.settings, resamples=0))
    extraction = Extraction(inputs.settings.language, store, processes)
    clock = _Clock()
    prepared = prepare(inputs, extraction, store)
    clock.stop("edits")
    sampled = _resampled(inputs, prepared)
    tests = _tests(inputs, prepared, sampled)
    names = [output.name for output in inputs.outputs]
    compared = _comparisons(inputs, prepared, sampled, tests, names)
    against_base = [(0, other) for other in range(1, len(names))]
    rows = []
    if prepared.types is not None:
        for pair in against_base:
            rows += type_table.type_rows(
                prepared.types, sampled.types, names, pair, inputs.settings.beta
            )
    clock.stop("statistics")
    of_sentences = _sentences(inputs, prepared, names)
    lists = [changes(of_sentences, names, *pair) for pair in against_base]
    clock.stop("lists")
    found = {metric: scores(one) for metric, one in tests.items()}
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
                {metric: of_all[place] for metric, of_all in found.items()},
            )
            for place, output in enumerate(inputs.outputs)
        ),
        comparisons=tuple(compared),
        types=tuple(rows),
        type_sums=_type_sums(prepared, names, inputs.settings.beta),
        changes=tuple(change for of_pair, _ in lists for change in of_pair),
        totals=tuple(totals for _, totals in lists),
        sentences=of_sentences,
        notes=(*inputs.notes, *notes_of(inputs, prepared, compared)),
        f_as_given=dict(zip(names, prepared.f_as_given or (), strict=False)),
        smallest_difference=smallest_difference(
            [one.se for one in compared if one.metric == ERRANT and one.se is not None]
        ),
        seconds=clock.seconds,
    )


class _Clock:
    """Seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stop(self, step: str) -> None:
        """Note what a step took."""
        now = time.perf_counter()
        self.seconds[step], self._last = now - self._last, now


@dataclass(frozen=True)
class _Sampled:
    """Resampled sums: of metrics, of types, and what swaps take from each annotator's counts."""

    metrics: Mapping[str, Sums]
    types: Sums | None
    by_annotator: Mapping[str, FloatArray]


def _resampled(inputs: Inputs, prepared: Prepared) -> _Sampled:
    """Return all sums, from the same samples and swaps."""
    settings = inputs.settings
    counted = {ERRANT: prepared.errant} | ({} if prepared.m2 is None else {M2: prepared.m2})
    drawn = [columns_of(one) for one in counted.values()]
    if prepared.types is not None:
        drawn.append(type_table.columns_of(prepared.types))
    alone = {} if len(inputs.gold.gold.annotators) == 1 else _alone(prepared)
    widths = [columns.shape[1] for columns in (*drawn, *alone.values())]
    ends = np.cumsum(widths)[:-1]
    sums = resampled_sums(
        np.hstack(drawn), np.hstack([*drawn, *alone.values()]), settings.resamples, settings.seed
    )
    swaps = np.split(sums.swapped, ends, axis=1)
    draws = np.split(sums.drawn, ends[: len(drawn) - 1], axis=1)
    parts = [Sums(*both) for both in zip(draws, swaps, strict=False)]
    return _Sampled(
        dict(zip(counted, parts, strict=False)),
        None if prepared.types is None else parts[-1],
        dict(zip(alone, swaps[len(drawn) :], strict=True)),
    )


def _alone(prepared: Prepared) -> dict[str, FloatArray]:
    """Return ERRANT's counts beside each annotator alone, 0 without a line: as `columns_of`."""
    n_systems, n_sentences = prepared.errant.positions.shape
    found = {
        annotator: np.zeros((n_sentences, n_systems, 3)) for annotator in prepared.gold.annotators
    }
    for sentence, (annotations, counts) in enumerate(
        zip(prepared.gold.annotations, prepared.errant.by_annotator, strict=True)
    ):
        for place, annotator in enumerate(annotations):
            found[annotator][sentence] = counts[:, place]
    return {name: columns.reshape(n_sentences, -1) for name, columns in found.items()}


def _tests(inputs: Inputs, prepared: Prepared, sampled: _Sampled) -> dict[str, Tested]:
    settings = inputs.settings
    counted = {ERRANT: prepared.errant} | ({} if prepared.m2 is None else {M2: prepared.m2})
    found = {
        metric: resampled_counts(metric, counted[metric], sums, settings.beta)
        for metric, sums in sampled.metrics.items()
    }
    for metric in settings.metrics:
        if metric not in (ERRANT, M2):
            # Imported here: of all metrics it knows, which takes a quarter of a second.
            from maege.analysis.compare.inference.text_metrics import resampled_metric

            found[metric] = resampled_metric(
                metric,
                prepared.given.sources,
                references_of(inputs, prepared),
                [output.texts for output in inputs.outputs],
                settings.resamples,
                settings.seed,
            )
    return {metric: tested(found[metric], settings.alpha) for metric in found}


def _comparisons(
    inputs: Inputs,
    prepared: Prepared,
    sampled: _Sampled,
    tests: Mapping[str, Tested],
    names: Sequence[str],
) -> list[Comparison]:
    settings = inputs.settings
    everything = pairs_of(len(names))
    pairs = everything if settings.all_pairs else everything[: len(names) - 1]
    texts = [output.texts for output in inputs.outputs]
    same = frozenset(pair for pair in pairs if texts[pair[0]] == texts[pair[1]])
    by_annotator = _by_annotator(prepared, sampled, pairs, settings.beta)
    return [
        one
        for metric, of in tests.items()
        for one in comparisons(
            of, names, pairs, same, by_annotator if metric == ERRANT else {}, settings.margin
        )
    ]


def _by_annotator(
    prepared: Prepared, sampled: _Sampled, pairs: Sequence[Pair], beta: float
) -> dict[Pair, tuple[ByAnnotator, ...]]:
    """Return the difference of each pair with each annotator alone."""
    found: dict[Pair, list[ByAnnotator]] = {pair: [] for pair in pairs}
    if not sampled.by_annotator or not pairs:
        return {}
    for annotator, columns in _alone(prepared).items():
        n = sum(annotator in annotations for annotations in prepared.gold.annotations)
        totals = columns.sum(axis=0).reshape(-1, 3)
        values = f_of_sums(totals, beta)
        difference = np.array([values[b] - values[a] for a, b in pairs])
        swapped = sampled.by_annotator[annotator]
        p_values: list[float | None] = [None] * len(pairs)
        if len(swapped) and not too_few(sentences=n):
            moved = swapped_differences(totals, swapped.reshape(len(swapped), -1, 3), pairs, beta)
            p_values = [*randomisation_p(difference, moved).tolist()]
        for pair, value, p in zip(pairs, difference.tolist(), p_values, strict=True):
            found[pair].append(ByAnnotator(annotator, n, value, p))
    return {pair: tuple(of_pair) for pair, of_pair in found.items()}


def _sentences(inputs: Inputs, prepared: Prepared, names: Sequence[str]) -> tuple[Sentence, ...]:
    counts = [
        [(tp, proposed - tp, gold - tp) for tp, proposed, gold in of_system]
        for of_system in prepared.errant.sums.astype(np.int64).tolist()
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
    of, given = inputs.gold, prepared.given
    return Gold(
        of.path,
        of.sha256,
        len(of.gold.sources),
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
            from maege.analysis.metrics.m2 import family

            metrics[metric] = family.M2(settings.beta).signature()
        elif metric != ERRANT:
            from maege.analysis.compare.inference.text_metrics import signature

            metrics[metric] = signature(metric)
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
