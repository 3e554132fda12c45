"""Run a complete comparison: from gold and outputs to scores, tests, error types and edit lists."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from maege.analysis.compare import results
from maege.analysis.compare.edits import (
    CountedSystems,
    changes,
    counts_of,
    errant_counts,
    m2_counts,
    sentence_of,
)
from maege.analysis.compare.gold import (
    Cache,
    Extraction,
    Gold,
    Inputs,
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
    score_counts,
    score_metric,
    scores,
)
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
from maege.analysis.metrics import m2 as m2_scorer
from maege.analysis.metrics.errant import Errant
from maege.analysis.metrics.formula import f_of_sums
from maege.analysis.metrics.registry import METRICS
from maege.analysis.metrics.scores import Pair
from maege.analysis.statistics.randomisation import randomisation_p
from maege.analysis.statistics.resampling import LEAST_SENTENCES, too_few
from maege.analysis.system_scores import swapped_differences

ERRANT, M2 = "errant", "m2"
# Names in a note.
SHOWN = 10
# NUCLE's type of an error that is marked but not corrected. ERRANT's programs convert it to UNK.
UNCORRECTED = "Um"


def default_edits(gold: Gold, extraction: Extraction) -> results.GoldEdits:
    """Return `given` if the gold has ERRANT's types, or ERRANT has no rules for the language."""
    return "given" if gold.has_errant_types or not extraction.has_types else "auto"


def compare_systems(inputs: Inputs, cache: Cache, processes: int = 0) -> results.Result:
    """Compare systems. With too few sentences there are no intervals, tests and ranks."""
    if too_few(sentences=len(inputs.gold.gold.sources)):
        inputs = replace(inputs, settings=replace(inputs.settings, resamples=0))
    return _Run(inputs, cache, processes).result()


class _Run:
    """One comparison; `gold_as_read` is from the files, `gold` has the edits that count."""

    def __init__(self, inputs: Inputs, cache: Cache, processes: int) -> None:
        self.seconds: dict[str, float] = {}
        self.last = time.perf_counter()
        self.inputs, self.settings, self.cache = inputs, inputs.settings, cache
        self.names = [output.name for output in inputs.outputs]
        self.texts = [output.texts for output in inputs.outputs]
        self.extraction = Extraction(self.settings.language, cache, processes)
        gold = inputs.gold.gold
        self.edits: results.GoldEdits = "auto"
        if inputs.gold.references is not None:
            self.gold_as_read = from_references(gold, inputs.gold.references, self.extraction)
            self.gold = self.gold_as_read
        else:
            self.edits = self.settings.gold_edits or default_edits(gold, self.extraction)
            self.gold_as_read = gold
            self.gold = chosen_gold(gold, self.edits, self.extraction)
        self.outputs: list[Sequence[Annotation]] = []
        for output in inputs.outputs:
            annotations = output.annotations
            if annotations is None:
                pairs = [*zip(gold.sources, output.texts, strict=True)]
                annotations = tuple(map(self.extraction.edits(pairs).__getitem__, pairs))
            self.outputs.append(annotations)
        self.errant = self._errant_counts(self.gold)
        self.resampling = Resampling(len(gold.sources), self.settings.resamples, self.settings.seed)

    def result(self) -> results.Result:
        inputs, settings, names = self.inputs, self.settings, self.names
        m2, n_approximated = self._m2()
        types, types_from = self._types()
        f_as_given = {}
        if self.gold is not self.gold_as_read:
            sums = self._errant_counts(self.gold_as_read).sums.sum(axis=1)
            f_as_given = dict(zip(names, f_of_sums(sums, settings.beta).tolist(), strict=True))
        self._stop_clock("edits")
        counted = {ERRANT: self.errant, **({M2: m2} if m2 else {})}
        counts: dict[str, Sequence[results.Counts | None]] = {
            metric: [counts_of(total, settings.beta) for total in systems.sums.sum(axis=1)]
            for metric, systems in counted.items()
        }
        tests = {
            metric: score_counts(systems.sums, settings.beta, self.resampling)
            for metric, systems in counted.items()
        } | {
            metric: score_metric(
                metric, self.gold.sources, self._references(), self.texts, self.resampling
            )
            for metric in settings.metrics
            if metric not in (ERRANT, M2)
        }
        compared = self._comparisons(tests)
        against_base = [(0, system) for system in range(1, len(names))]
        type_table = [
            row
            for pair in against_base
            if types is not None
            for row in type_rows(types, self.resampling, names, pair, settings.beta)
        ]
        self._stop_clock("statistics")
        sentences = tuple(self._sentences())
        lists = [changes(sentences, names, *pair) for pair in against_base]
        self._stop_clock("lists")
        no_counts = [None] * len(names)
        metric_scores = {
            metric: scores(tested, counts.get(metric, no_counts), settings.alpha)
            for metric, tested in tests.items()
        }
        errors = [row.se for row in compared if row.metric == ERRANT and row.se is not None]
        return results.Result(
            signature=self._signature(),
            gold=self._gold(types_from),
            systems=tuple(
                results.System(
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
            types=tuple(type_table),
            type_sums={}
            if types is None
            else {
                name: counts_of(total, settings.beta)
                for name, total in zip(names, types.sums.sum(axis=1), strict=True)
            },
            changes=tuple(change for pair_changes, _ in lists for change in pair_changes),
            totals=tuple(totals for _, totals in lists),
            sentences=sentences,
            notes=(*inputs.notes, *self._notes(types, n_approximated), *_pair_notes(compared)),
            f_as_given=f_as_given,
            smallest_difference=2 * float(np.median(errors)) if errors else None,
            seconds=self.seconds,
        )

    def _stop_clock(self, step: str) -> None:
        now = time.perf_counter()
        self.seconds[step], self.last = now - self.last, now

    @cached_property
    def _output_texts(self) -> list[list[str]]:
        return [[*map(format_annotation, annotations)] for annotations in self.outputs]

    def _errant_counts(self, gold: Gold) -> CountedSystems:
        settings = self.settings
        return errant_counts(texts_of(gold), self._output_texts, settings.match, settings.beta)

    def _m2(self) -> tuple[CountedSystems | None, int]:
        if M2 not in self.settings.metrics:
            return None, 0
        gold = self.gold_as_read
        return m2_counts(gold.sources, texts_of(gold), self.texts, self.settings.beta, self.cache)

    def _references(self) -> Sequence[tuple[str, ...]]:
        texts = self.inputs.gold.reference_texts
        return corrected_sources(self.gold_as_read) if texts is None else texts

    def _types(self) -> tuple[TypedCounts | None, Literal["given", "errant"] | None]:
        """Return the counts by error type, and the origin of the types.

        The types are those of the gold if they are ERRANT's or if all outputs came with their own
        edits. Otherwise ERRANT assigns them. If ERRANT has no rules for the language, an edit gets
        the type of the gold edit at its position.
        """
        settings, gold, extraction = self.settings, self.gold, self.extraction
        if settings.types is None:
            return None, None
        has_own = all(output.annotations is not None for output in self.inputs.outputs)
        source: Literal["given", "errant"] = "given" if self.edits == "given" else "errant"
        counted = self.errant
        if not gold.has_errant_types and extraction.has_types and not has_own:
            gold, source = chosen_gold(gold, "typed", extraction), "errant"
            counted = self._errant_counts(gold)
        elif not extraction.has_types and rules_of(settings.language) is not None and not has_own:
            return None, None
        gold_edits = [
            chosen_annotations(gold.annotations, positions)
            for positions in counted.positions.tolist()
        ]
        outputs = self.outputs
        if not extraction.has_types:
            outputs = [
                [*map(typed_by_place, *system)] for system in zip(outputs, gold_edits, strict=True)
            ]
        counts = typed_counts(outputs, gold_edits, settings.match, settings.tier, settings.types)
        return counts, source

    def _comparisons(self, tests: dict[str, Tested]) -> list[results.Comparison]:
        all_pairs = pairs_of(len(self.names))
        pairs = all_pairs if self.settings.all_pairs else all_pairs[: len(self.names) - 1]
        by_annotator = self._by_annotator(pairs)
        rows = []
        for metric, tested in tests.items():
            listed = comparisons(
                metric, tested, self.names, pairs, self.settings.alpha, self.settings.margin
            )
            for (a, b), row in zip(pairs, listed, strict=True):
                if self.texts[a] == self.texts[b]:
                    row = replace(row, mark="same_outputs")
                if metric == ERRANT:
                    row = replace(row, by_annotator=tuple(by_annotator[a, b]))
                rows.append(row)
        return rows

    def _by_annotator(self, pairs: Sequence[Pair]) -> dict[Pair, list[results.ByAnnotator]]:
        differences: dict[Pair, list[results.ByAnnotator]] = {pair: [] for pair in pairs}
        if len(self.gold_as_read.annotators) == 1 or not pairs:
            return differences
        score = m2_scorer.M2Score(self.settings.beta)
        a, b = np.array(pairs).T
        for annotator in self.gold.annotators:
            n, sums = 0, np.zeros_like(self.errant.sums)
            for sentence, annotations in enumerate(self.gold.annotations):
                if annotator in annotations:
                    n += 1
                    place = list(annotations).index(annotator)
                    sums[:, sentence] = self.errant.by_annotator[:, sentence, place]
            values = score.of_sums(sums.sum(axis=1))
            p_values: list[float | None] = [None] * len(pairs)
            if self.resampling.resamples and not too_few(sentences=n):
                statistics = {M2: sums[:, :, np.newaxis]}
                swapped = swapped_differences(
                    score, sums[..., 0], statistics, self.resampling.swaps, pairs
                )
                p_values = [*randomisation_p(values[b] - values[a], swapped).tolist()]
            for pair, value, p in zip(
                pairs, (values[b] - values[a]).tolist(), p_values, strict=True
            ):
                differences[pair].append(results.ByAnnotator(annotator, n, value, p))
        return differences

    def _sentences(self) -> Iterator[results.Sentence]:
        sums = self.errant.sums.astype(np.int64)
        tp, proposed, gold = np.moveaxis(sums, -1, 0)
        counts = np.stack([tp, proposed - tp, gold - tp], axis=-1).tolist()
        positions = self.errant.positions.tolist()
        sentences = zip(self.gold.sources, self.gold.annotations, strict=True)
        for number, (source, annotations) in enumerate(sentences):
            systems = [
                (
                    self.texts[system][number],
                    self.outputs[system][number],
                    positions[system][number],
                    tuple(counts[system][number]),
                )
                for system in range(len(self.names))
            ]
            yield sentence_of(number, source, annotations, self.names, systems)

    def _gold(self, types: Literal["given", "errant"] | None) -> results.Gold:
        gold = self.gold_as_read
        annotators = (
            results.Annotator(
                annotator,
                sum(annotator in annotations for annotations in gold.annotations),
                sum(len(annotations.get(annotator, ())) for annotations in gold.annotations),
            )
            for annotator in gold.annotators
        )
        path, sha256 = self.inputs.gold.path, self.inputs.gold.sha256
        return results.Gold(path, sha256, len(gold.sources), tuple(annotators), self.edits, types)

    def _signature(self) -> results.Signature:
        families = {ERRANT: Errant(self.settings.match), M2: m2_scorer.M2(self.settings.beta)}
        metrics = dict.fromkeys((ERRANT, *self.settings.metrics))
        values = vars(self.settings) | {
            "maege": self.inputs.maege,
            "extractor": self.extraction.signature,
            "gold_edits": self.edits,
            "metrics": {name: families.get(name, METRICS[name]).signature() for name in metrics},
        }
        del values["types"]
        return results.Signature(**values)

    # --- Notes for the reader ---

    def _notes(self, types: TypedCounts | None, n_approximated: int) -> Iterator[results.Note]:
        gold, n_sentences = self.gold_as_read, len(self.gold.sources)
        if too_few(sentences=n_sentences):
            yield results.Note(
                "too_few",
                f"intervals, tests and ranks need at least {LEAST_SENTENCES} sentences, and there "
                f"{'is' if n_sentences == 1 else 'are'} {n_sentences:,}",
            )
        silent = {
            annotator: sum(annotator not in annotations for annotations in gold.annotations)
            for annotator in gold.annotators
        }
        lacking = [
            f"annotator {annotator} did not annotate {number:,}"
            for annotator, number in silent.items()
            if number
        ]
        if lacking:
            more = f" and {len(lacking) - SHOWN} more some" if len(lacking) > SHOWN else ""
            listed = ", ".join(lacking[:SHOWN])
            yield results.Note("silent_annotators", f"{listed}{more} of {n_sentences:,} sentences")
        if n_detections := sum(edit.error_type == UNCORRECTED for edit in gold.edits):
            count = "count" if self.edits == "given" else "do not count"
            yield results.Note(
                "detections",
                f"{n_detections:,} gold edits of type {UNCORRECTED}, errors without a correction, "
                f"{count} with --gold-edits {self.edits}, as in errant_compare",
            )
        if n_alternatives := sum(len(edit.corrections) > 1 for edit in gold.edits):
            yield results.Note(
                "alternatives",
                f"{n_alternatives:,} gold edits have alternatives, of which the first counts; "
                "errant_compare would match none",
            )
        if n_approximated:
            yield results.Note(
                "approximated",
                f"the M2 of {n_approximated:,} output sentences is approximated, because "
                "the original program would need hours for their repetitions",
            )
        if types is not None and any(
            edit.error_type in OPERATIONS
            for annotations in self.outputs
            for annotation in annotations
            for edit in annotation
        ):
            yield results.Note(
                "types_by_place",
                "there are no rules for error types in this language. An edit that the gold lacks "
                "has the type of the gold edit at its place, or else M, R or U",
            )
        text_metrics = [metric for metric in self.settings.metrics if metric not in (ERRANT, M2)]
        if text_metrics and self.inputs.gold.reference_texts is None:
            yield results.Note(
                "references_from_edits",
                f"the references of {', '.join(text_metrics)} are the sources with the gold edits "
                "applied; if an annotator skipped a sentence, its reference is the source",
            )


def _pair_notes(compared: Sequence[results.Comparison]) -> Iterator[results.Note]:
    for row in compared:
        if row.mark == "same_outputs":
            text = f"{row.a} and {row.b} have the same outputs in all sentences"
            yield results.Note("same_outputs", text)
        if row.depends_on_annotator:
            text = f"{row.b} - {row.a}: which of the two is better depends on the annotator"
            yield results.Note("depends_on_annotator", text, is_warning=True)
