"""Notes that a reader of a comparison needs to understand its numbers."""

from collections.abc import Sequence

from maege.analysis.compare.edits.prepared import ERRANT, M2, Prepared
from maege.analysis.compare.edits.types import OPERATIONS
from maege.analysis.compare.inputs import Inputs
from maege.analysis.compare.results import Comparison, Note
from maege.analysis.statistics.samples.least_samples import LEAST_SENTENCES, too_few

SHOWN = 10
# NUCLE's type of an error that is marked and not corrected: ERRANT's programs make it UNK.
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
    listed = [
        f"annotator {annotator} in {number:,}" for annotator, number in silent.items() if number
    ]
    if listed:
        more = f" and {len(listed) - SHOWN} others in some" if len(listed) > SHOWN else ""
        notes.append(
            Note(
                "silent_annotators",
                f"annotators skipped sentences ({', '.join(listed[:SHOWN])}{more} of "
                f"{n_sentences:,} sentences), which are scored against the other annotators",
            )
        )
    edits = [
        edit
        for of_sentence in given.annotations
        for annotation in of_sentence.values()
        for edit in annotation
    ]
    n_detections = sum(edit.error_type == UNCORRECTED for edit in edits)
    if n_detections:
        count = "count" if prepared.edits == "given" else "do not count"
        notes.append(
            Note(
                "detections",
                f"{n_detections:,} gold edits of type {UNCORRECTED}, errors that nobody corrected, "
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
    edits = (edit for of_one in prepared.outputs for annotation in of_one for edit in annotation)
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
    for one in comparisons:
        if one.mark == "same_outputs":
            notes.append(
                Note("same_outputs", f"{one.a} and {one.b} have the same outputs in all sentences")
            )
        if one.depends_on_annotator:
            notes.append(
                Note(
                    "depends_on_annotator",
                    f"{one.b} - {one.a}: which of the two is better depends on the annotator",
                    is_warning=True,
                )
            )
    return notes
