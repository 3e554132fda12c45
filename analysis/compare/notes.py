"""What a reader of a comparison should know beside its numbers."""

from collections.abc import Sequence

from analysis.compare.prepared import Prepared
from analysis.compare.results import Comparison, Note


def notes_of(prepared: Prepared, comparisons: Sequence[Comparison]) -> list[Note]:
    """Return the notes on the gold, on metrics, and on comparisons."""
    return [*_on_gold(prepared), *_on_comparisons(comparisons)]


def _on_gold(prepared: Prepared) -> list[Note]:
    given = prepared.given
    n_sentences = len(given.sources)
    notes = []
    for annotator in given.annotators:
        silent = sum(annotator not in annotations for annotations in given.annotations)
        if silent:
            notes.append(
                Note(
                    "silent_annotator",
                    f"annotator {annotator} has no line in {silent:,} of {n_sentences:,} sentences "
                    "and counts for nobody there",
                )
            )
    if prepared.approximated:
        notes.append(
            Note(
                "approximated",
                f"M2 of {prepared.approximated:,} outputs of sentences is approximated: the "
                "original program needs hours for such repetitions",
            )
        )
    return notes


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
