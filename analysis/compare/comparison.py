"""Run a complete comparison: from gold and outputs to scores, tests, error types and edit lists."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from maege.analysis.compare.edits import (
    CountedSystems,
    changes,
    chosen_counts,
    counts_of,
    errant_counts,
    m2_sizes,
    sentences,
)
from maege.analysis.compare.gold import (
    Extraction,
    Gold,
    Inputs,
    Output,
    Store,
    chosen_gold,
    corrected_sources,
    from_references,
    texts_of,
)
from maege.analysis.compare.inference import (
    Resampling,
    Tested,
    comparisons,
    pairs_of,
    score_metric,
    score_systems,
    scores,
)
from maege.analysis.compare.results import (
    Annotator,
    ByAnnotator,
    Comparison,
    Counts,
    GoldEdits,
    Note,
    Result,
    Sentence,
    Signature,
    System,
)
from maege.analysis.compare.results import Gold as ComparedGold
from maege.analysis.compare.types import (
    OPERATIONS,
    TypedCounts,
    chosen_annotations,
    type_rows,
    typed_by_place,
    typed_counts,
)
from maege.analysis.edits import Annotation, format_annotation
from maege.analysis.extraction.pipeline import rules_of
from maege.analysis.metrics import m2
from maege.analysis.metrics.errant import Errant, ErrantScore
from maege.analysis.metrics.families import FloatArray
from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.metrics.m2 import M2Score
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import Pair
from maege.analysis.statistics.randomisation import randomisation_p
from maege.analysis.statistics.resampling import LEAST_SENTENCES, too_few
from maege.analysis.system_scores import swapped_differences

# --- Counts of all systems ---

ERRANT, M2 = "errant", "m2"


@dataclass(frozen=True)
class Prepared:
    """The inputs of a comparison with all counts.

    `gold_as_read` is the gold as read from its files, `gold` the gold with the edits that count.
    `outputs` holds the edits of each system. `m2` is None if M2 was not requested. `approximated`
    lists the outputs whose M2 search was limited. `types` is None without a table of types;
    `types_from` says which tool or file assigned the types. `f_as_given` is F of each system
    against the gold as read, if other edits count.
    """

    edits: GoldEdits
    gold_as_read: Gold
    gold: Gold
    outputs: Sequence[Sequence[Annotation]]
    errant: CountedSystems
    m2: CountedSystems | None
    approximated: int
    types: TypedCounts | None
    types_from: Literal["given", "errant"] | None
    f_as_given: Sequence[float] | None


def prepare(inputs: Inputs, extraction: Extraction, store: Store) -> Prepared:
    settings = inputs.settings
    gold_input = inputs.gold
    gold_as_read = gold_input.gold
    if gold_input.references is not None:
        gold_as_read = from_references(
            gold_as_read.sources, gold_as_read.annotators, gold_input.references, extraction
        )
    outputs = [_edits_of(output, gold_as_read.sources, extraction) for output in inputs.outputs]
    texts = [
        [format_annotation(annotation) for annotation in annotations] for annotations in outputs
    ]
    edits, gold = _edits_that_count(inputs, gold_as_read, extraction)
    errant = errant_counts(texts_of(gold), texts, settings.match, settings.beta)
    f_as_given = None
    if gold is not gold_as_read:
        counts_as_read = errant_counts(texts_of(gold_as_read), texts, settings.match, settings.beta)
        f_as_given = f_of_sums(counts_as_read.sums.sum(axis=1), settings.beta).tolist()
    m2, approximated = None, 0
    if M2 in settings.metrics:
        sizes, approximated = m2_sizes(
            gold_as_read.sources,
            texts_of(gold_as_read),
            [output.texts for output in inputs.outputs],
            settings.beta,
            store,
        )
        m2 = chosen_counts(sizes, M2Score(settings.beta))
    types, types_from = _types(inputs, edits, gold, outputs, texts, extraction)
    return Prepared(
        edits, gold_as_read, gold, outputs, errant, m2, approximated, types, types_from, f_as_given
    )


def _edits_that_count(inputs: Inputs, gold: Gold, extraction: Extraction) -> tuple[GoldEdits, Gold]:
    if inputs.gold.references is not None:
        return "auto", gold
    edits = inputs.settings.gold_edits or default_edits(gold, extraction)
    return edits, chosen_gold(gold, edits, extraction)


def default_edits(gold: Gold, extraction: Extraction) -> GoldEdits:
    """Return which edits of a gold count: its own edits if they have ERRANT's types.

    Otherwise, as in the warehouse, ERRANT extracts the edits if it has rules for the language.
    """
    return "given" if gold.has_errant_types or not extraction.has_types else "auto"


def references_of(inputs: Inputs, prepared: Prepared) -> Sequence[tuple[str, ...]]:
    """Return the reference texts of each sentence, the same number for all sentences.

    If they are created from edits, an annotator without a line leaves the sentence unchanged.
    """
    if inputs.gold.reference_texts is not None:
        return inputs.gold.reference_texts
    return corrected_sources(prepared.gold_as_read)


def _edits_of(output: Output, sources: Sequence[str], extraction: Extraction) -> list[Annotation]:
    if output.annotations is not None:
        return list(output.annotations)
    edits = extraction.edits([*zip(sources, output.texts, strict=True)])
    return [edits[pair] for pair in zip(sources, output.texts, strict=True)]


def _types(
    inputs: Inputs,
    edits: GoldEdits,
    gold: Gold,
    outputs: Sequence[Sequence[Annotation]],
    texts: Sequence[Sequence[str]],
    extraction: Extraction,
) -> tuple[TypedCounts | None, Literal["given", "errant"] | None]:
    """Return the counts by error type, and the origin of the types.

    The types are those of the gold if they are ERRANT's or if all outputs came with their own
    edits. Otherwise ERRANT assigns them. If ERRANT has no rules for the language, an edit gets the
    type of the gold edit at its position.
    """
    settings = inputs.settings
    if settings.types is None:
        return None, None
    has_own = all(output.annotations is not None for output in inputs.outputs)
    source: Literal["given", "errant"] = "given" if edits == "given" else "errant"
    typed_gold = gold
    if not gold.has_errant_types and extraction.has_types and not has_own:
        typed_gold, source = chosen_gold(gold, "typed", extraction), "errant"
    elif not extraction.has_types and rules_of(settings.language) is not None and not has_own:
        return None, None
    errant_sums = errant_counts(texts_of(typed_gold), texts, settings.match, settings.beta)
    gold_annotations = [
        chosen_annotations(typed_gold.annotations, positions)
        for positions in errant_sums.positions.tolist()
    ]
    if not extraction.has_types:
        outputs = [
            [typed_by_place(edits, gold_edits) for edits, gold_edits in zip(*system, strict=True)]
            for system in zip(outputs, gold_annotations, strict=True)
        ]
    counts = typed_counts(outputs, gold_annotations, settings.match, settings.tier, settings.types)
    return counts, source


def smallest_difference(standard_errors: Sequence[float]) -> float | None:
    """Return the smallest detectable difference: twice the median standard error."""
    return 2 * float(np.median(standard_errors)) if standard_errors else None


# --- Notes for the reader ---

SHOWN = 10
# NUCLE's type of an error that is marked but not corrected. ERRANT's programs convert it to UNK.
UNCORRECTED = "Um"


def notes_of(inputs: Inputs, prepared: Prepared, comparisons: Sequence[Comparison]) -> list[Note]:
    """Return the notes on the gold, on metrics, and on comparisons."""
    return [
        *_size_notes(prepared),
        *_gold_notes(prepared),
        *_type_notes(prepared),
        *_reference_notes(inputs),
        *_comparison_notes(comparisons),
    ]


def _size_notes(prepared: Prepared) -> list[Note]:
    n_sentences = len(prepared.gold_as_read.sources)
    if not too_few(sentences=n_sentences):
        return []
    text = (
        f"intervals, tests and ranks need at least {LEAST_SENTENCES} sentences, and there "
        f"{'is' if n_sentences == 1 else 'are'} {n_sentences:,}"
    )
    return [Note("too_few", text)]


def _gold_notes(prepared: Prepared) -> list[Note]:
    gold = prepared.gold_as_read
    n_sentences = len(gold.sources)
    notes = []
    silent = {
        annotator: sum(annotator not in annotations for annotations in gold.annotations)
        for annotator in gold.annotators
    }
    lacking = {annotator: number for annotator, number in silent.items() if number}
    if lacking:
        listed = [
            f"annotator {annotator} did not annotate {number:,}"
            for annotator, number in [*lacking.items()][:SHOWN]
        ]
        more = f" and {len(lacking) - SHOWN} more some" if len(lacking) > SHOWN else ""
        text = f"{', '.join(listed)}{more} of {n_sentences:,} sentences"
        notes.append(Note("silent_annotators", text))
    edits = [
        edit
        for annotations in gold.annotations
        for annotation in annotations.values()
        for edit in annotation
    ]
    n_detections = sum(edit.error_type == UNCORRECTED for edit in edits)
    if n_detections:
        count = "count" if prepared.edits == "given" else "do not count"
        notes.append(
            Note(
                "detections",
                f"{n_detections:,} gold edits of type {UNCORRECTED}, errors without a correction, "
                f"{count} with --gold-edits {prepared.edits}, as in errant_compare",
            )
        )
    n_alternatives = sum(len(edit.corrections) > 1 for edit in edits)
    if n_alternatives:
        notes.append(
            Note(
                "alternatives",
                f"{n_alternatives:,} gold edits have alternatives, of which the first counts; "
                "errant_compare would match none",
            )
        )
    if prepared.approximated:
        notes.append(
            Note(
                "approximated",
                f"the M2 of {prepared.approximated:,} output sentences is approximated, because "
                "the original program would need hours for their repetitions",
            )
        )
    return notes


def _type_notes(prepared: Prepared) -> list[Note]:
    edits = (
        edit
        for annotations in prepared.outputs
        for annotation in annotations
        for edit in annotation
    )
    if prepared.types is None or not any(edit.error_type in OPERATIONS for edit in edits):
        return []
    return [
        Note(
            "types_by_place",
            "there are no rules for error types in this language. An edit that the gold lacks has "
            "the type of the gold edit at its place, or else M, R or U",
        )
    ]


def _reference_notes(inputs: Inputs) -> list[Note]:
    text_metrics = [metric for metric in inputs.settings.metrics if metric not in (ERRANT, M2)]
    if not text_metrics or inputs.gold.reference_texts is not None:
        return []
    return [
        Note(
            "references_from_edits",
            f"the references of {', '.join(text_metrics)} are the sources with the gold edits "
            "applied; if an annotator skipped a sentence, its reference is the source",
        )
    ]


def _comparison_notes(comparisons: Sequence[Comparison]) -> list[Note]:
    notes = []
    for comparison in comparisons:
        if comparison.mark == "same_outputs":
            notes.append(
                Note(
                    "same_outputs",
                    f"{comparison.a} and {comparison.b} have the same outputs in all sentences",
                )
            )
        if comparison.depends_on_annotator:
            notes.append(
                Note(
                    "depends_on_annotator",
                    f"{comparison.b} - {comparison.a}: which of the two is better depends on the "
                    "annotator",
                    is_warning=True,
                )
            )
    return notes


# --- The complete comparison ---


def compare_systems(inputs: Inputs, store: Store, processes: int = 0) -> Result:
    """Compare systems. With too few sentences there are no intervals, tests and ranks."""
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
    against_base = [(0, system) for system in range(1, len(names))]
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
    metric_scores = {metric: scores(tested, settings.alpha) for metric, tested in tests.items()}
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
                {metric: system_scores[place] for metric, system_scores in metric_scores.items()},
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
            [
                comparison.se
                for comparison in compared
                if comparison.metric == ERRANT and comparison.se is not None
            ]
        ),
        seconds=clock.seconds,
    )


class _Clock:
    """Measures the seconds of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def stop(self, step: str) -> None:
        now = time.perf_counter()
        self.seconds[step], self._last = now - self._last, now


def _tests(inputs: Inputs, prepared: Prepared, resampling: Resampling) -> dict[str, Tested]:
    settings = inputs.settings
    tests = {ERRANT: _tested_counts(ERRANT, prepared.errant, settings.beta, resampling)}
    if prepared.m2 is not None:
        tests[M2] = _tested_counts(M2, prepared.m2, settings.beta, resampling)
    for metric in settings.metrics:
        if metric not in (ERRANT, M2):
            tests[metric] = score_metric(
                metric,
                prepared.gold_as_read.sources,
                references_of(inputs, prepared),
                [output.texts for output in inputs.outputs],
                resampling,
            )
    return tests


def _tested_counts(
    metric: str, systems: CountedSystems, beta: float, resampling: Resampling
) -> Tested:
    counts = [counts_of(total, beta) for total in systems.sums.sum(axis=1)]
    zeros = np.zeros(systems.positions.shape)
    if metric == ERRANT:
        statistics = {ERRANT: _errant_statistics(systems.sums)}
        return score_systems(metric, ErrantScore(beta), zeros, statistics, resampling, counts)
    statistics = {M2: systems.sums[:, :, np.newaxis]}
    return score_systems(metric, m2.M2Score(beta), zeros, statistics, resampling, counts)


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
    all_pairs = pairs_of(len(names))
    pairs = all_pairs if settings.all_pairs else all_pairs[: len(names) - 1]
    texts = [output.texts for output in inputs.outputs]
    equal_outputs = frozenset(pair for pair in pairs if texts[pair[0]] == texts[pair[1]])
    by_annotator = _by_annotator(prepared, resampling, pairs, settings.beta)
    return [
        comparison
        for metric, tested in tests.items()
        for comparison in comparisons(
            tested,
            names,
            pairs,
            equal_outputs,
            by_annotator if metric == ERRANT else {},
            settings.alpha,
            settings.margin,
        )
    ]


def _by_annotator(
    prepared: Prepared, resampling: Resampling, pairs: Sequence[Pair], beta: float
) -> dict[Pair, tuple[ByAnnotator, ...]]:
    if len(prepared.gold_as_read.annotators) == 1 or not pairs:
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


def _gold(inputs: Inputs, prepared: Prepared) -> ComparedGold:
    gold = prepared.gold_as_read
    return ComparedGold(
        inputs.gold.path,
        inputs.gold.sha256,
        len(inputs.gold.gold.sources),
        tuple(
            Annotator(
                annotator,
                sum(annotator in annotations for annotations in gold.annotations),
                sum(len(annotations.get(annotator, ())) for annotations in gold.annotations),
            )
            for annotator in gold.annotators
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
