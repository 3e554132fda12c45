"""Prepare a comparison: from inputs to edit counts of all systems, and notes for the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from maege.analysis.compare.edits import CountedSystems, chosen_counts, errant_counts, m2_sizes
from maege.analysis.compare.extraction import Extraction, Store
from maege.analysis.compare.gold import (
    Gold,
    Inputs,
    Output,
    chosen_gold,
    corrected_sources,
    from_references,
    texts_of,
)
from maege.analysis.compare.results import Comparison, GoldEdits, Note
from maege.analysis.compare.types import (
    OPERATIONS,
    TypedCounts,
    chosen_annotations,
    typed_by_place,
    typed_counts,
)
from maege.analysis.edits import Annotation, format_annotation
from maege.analysis.extraction.pipeline import rules_of
from maege.analysis.metrics.m2.family import M2Score
from maege.analysis.metrics.scores.formula import f_of_sums
from maege.analysis.statistics.resampling import LEAST_SENTENCES, too_few

# --- Counts of all systems ---

ERRANT, M2 = "errant", "m2"


@dataclass(frozen=True)
class Prepared:
    """The inputs of a comparison with all counts.

    `given` is the gold as read from its files, `gold` the gold with the edits that count. `outputs`
    holds the edits of each system. `m2` is None if M2 was not requested. `approximated` lists the
    outputs whose M2 search was limited. `types` is None without a table of types; `types_from` says
    which tool or file assigned the types. `f_as_given` is F of each system against the gold as
    read, if other edits count.
    """

    edits: GoldEdits
    given: Gold
    gold: Gold
    outputs: Sequence[Sequence[Annotation]]
    errant: CountedSystems
    m2: CountedSystems | None
    approximated: int
    types: TypedCounts | None
    types_from: Literal["given", "errant"] | None
    f_as_given: Sequence[float] | None


def prepare(inputs: Inputs, extraction: Extraction, store: Store) -> Prepared:
    """Return the counts of all systems."""
    settings = inputs.settings
    gold_input = inputs.gold
    given = gold_input.gold
    if gold_input.references is not None:
        given = from_references(given.sources, given.annotators, gold_input.references, extraction)
    outputs = [_edits_of(output, given.sources, extraction) for output in inputs.outputs]
    texts = [
        [format_annotation(annotation) for annotation in annotations] for annotations in outputs
    ]
    edits, gold = _edits_that_count(inputs, given, extraction)
    errant = errant_counts(texts_of(gold), texts, settings.match, settings.beta)
    f_as_given = None
    if gold is not given:
        as_given = errant_counts(texts_of(given), texts, settings.match, settings.beta)
        f_as_given = f_of_sums(as_given.sums.sum(axis=1), settings.beta).tolist()
    m2, approximated = None, 0
    if M2 in settings.metrics:
        sizes, approximated = m2_sizes(
            given.sources,
            texts_of(given),
            [output.texts for output in inputs.outputs],
            settings.beta,
            store,
        )
        m2 = chosen_counts(sizes, M2Score(settings.beta))
    types, types_from = _types(inputs, edits, gold, outputs, texts, extraction)
    return Prepared(
        edits, given, gold, outputs, errant, m2, approximated, types, types_from, f_as_given
    )


def _edits_that_count(
    inputs: Inputs, given: Gold, extraction: Extraction
) -> tuple[GoldEdits, Gold]:
    if inputs.gold.references is not None:
        return "auto", given
    edits = inputs.settings.gold_edits or default_edits(given, extraction)
    return edits, chosen_gold(given, edits, extraction)


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
    return corrected_sources(prepared.given)


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
    counted = errant_counts(texts_of(typed_gold), texts, settings.match, settings.beta)
    chosen = [
        chosen_annotations(typed_gold.annotations, positions)
        for positions in counted.positions.tolist()
    ]
    if not extraction.has_types:
        outputs = [
            [typed_by_place(edits, gold_edits) for edits, gold_edits in zip(*system, strict=True)]
            for system in zip(outputs, chosen, strict=True)
        ]
    counts = typed_counts(outputs, chosen, settings.match, settings.tier, settings.types)
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
        *_on_size(prepared),
        *_on_gold(prepared),
        *_on_types(prepared),
        *_on_references(inputs),
        *_on_comparisons(comparisons),
    ]


def _on_size(prepared: Prepared) -> list[Note]:
    n_sentences = len(prepared.given.sources)
    if not too_few(sentences=n_sentences):
        return []
    text = (
        f"intervals, tests and ranks need at least {LEAST_SENTENCES} sentences, and there "
        f"{'is' if n_sentences == 1 else 'are'} {n_sentences:,}"
    )
    return [Note("too_few", text)]


def _on_gold(prepared: Prepared) -> list[Note]:
    given = prepared.given
    n_sentences = len(given.sources)
    notes = []
    silent = {
        annotator: sum(annotator not in annotations for annotations in given.annotations)
        for annotator in given.annotators
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
        for annotations in given.annotations
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


def _on_types(prepared: Prepared) -> list[Note]:
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


def _on_references(inputs: Inputs) -> list[Note]:
    others = [metric for metric in inputs.settings.metrics if metric not in (ERRANT, M2)]
    if not others or inputs.gold.reference_texts is not None:
        return []
    return [
        Note(
            "references_from_edits",
            f"the references of {', '.join(others)} are the sources with the gold edits applied; "
            "if an annotator skipped a sentence, its reference is the source",
        )
    ]


def _on_comparisons(comparisons: Sequence[Comparison]) -> list[Note]:
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
