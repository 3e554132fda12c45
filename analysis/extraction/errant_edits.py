"""Typed edits from one text to another, equal to those of ERRANT 3.0.2, from stored parses.

Bryant, Felice and Briscoe 2017, "Automatic Annotation and Evaluation of Error Types for Grammatical
Error Correction". errant_alignment.py aligns the tokens and errant_merging.py merges the steps; the
error types are those of ERRANT's own classifier.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from maege.analysis.edits import Annotation, Edit
from maege.analysis.extraction.errant_merging import EditSpan, edit_spans
from maege.analysis.extraction.parses import Parse
from maege.analysis.extraction.tokens import Attributes, Sentence

# Types of edits that mark an error without correcting it.
DETECTIONS = ("Um", "UNK")
# ERRANT stems the words of an edit each time, so types are cached: about 10 MB.
_REMEMBERED_TYPES = 1 << 14
_known_types: dict[tuple[Attributes | None, ...], str] = {}


def extract(source: Sentence, target: Sentence) -> Annotation:
    """Return the edits from source to target, from left to right."""
    if source.words == target.words:
        return ()
    return tuple(
        Edit(
            span.start,
            span.end,
            _type(source, target, span),
            (" ".join(target.words[span.other_start : span.other_end]),),
        )
        for span in edit_spans(source, target)
    )


def corrected_text(source: str, annotation: Iterable[Edit]) -> str:
    """Apply the first correction of each edit of an annotation to the source.

    Edits that detect an error without correcting it leave their tokens unchanged.
    """
    return _apply(source.split(), annotation)[0]


def classify(
    source: str, annotation: Iterable[Edit], source_parse: Parse, target_parse: Parse
) -> Annotation:
    """Return an annotation's edits sorted by position, minimised and with ERRANT's types.

    Equal tokens at the ends of an edit are removed, as ERRANT does with gold edits. An edit that
    only detects an error keeps its span and correction. `target_parse` is the parse of
    `corrected_text`.
    """
    source_words = source.split()
    target, placed = _apply(source_words, annotation)
    original = Sentence(source_words, source_parse)
    corrected = Sentence(target.split(), target_parse)
    typed = []
    for edit, start, end in placed:
        span = EditSpan(edit.start, edit.end, start, end)
        if edit.error_type in DETECTIONS:
            correction = " ".join(edit.corrections[0].split())
            error_type = _typed(original, corrected, span).type
            typed.append(Edit(edit.start, edit.end, error_type, (correction,)))
            continue
        found = _typed(original, corrected, span, minimise=True)
        correction = " ".join(token.text for token in found.c_toks)
        typed.append(Edit(found.o_start, found.o_end, found.type, (correction,)))
    return tuple(typed)


def _type(original: Sentence, corrected: Sentence, span: EditSpan) -> str:
    """Return the type of an edit, cached because corrections of a sentence share most edits.

    The type depends only on the attributes of the edit's tokens, unless the classifier read the
    dependency tree. It does so only for some verbs.
    """
    start, end, other_start, other_end = span
    key = (
        *original.attributes[start:end],
        None,
        *corrected.attributes[other_start:other_end],
    )
    known = _known_types.get(key)
    if known is None:
        original.tree_is_read = corrected.tree_is_read = False
        known = str(_typed(original, corrected, span).type)
        if len(_known_types) == _REMEMBERED_TYPES:
            _known_types.clear()
        if not (original.tree_is_read or corrected.tree_is_read):
            _known_types[key] = known
    return known


def _typed(
    original: Sentence, corrected: Sentence, span: EditSpan, *, minimise: bool = False
) -> Any:  # noqa: ANN401 - ERRANT is untyped
    make, classify_edit = _errant()
    edit = make(original, corrected, list(span))
    return classify_edit(edit.minimise() if minimise else edit)


@cache
def _errant() -> tuple[Any, Any]:
    """Return ERRANT's class of edits, and its classifier."""
    from errant.edit import Edit as ErrantEdit
    from errant.en.classifier import classify

    return ErrantEdit, classify


def _apply(words: list[str], annotation: Iterable[Edit]) -> tuple[str, list[tuple[Edit, int, int]]]:
    """Return the corrected text, and the edits sorted by position with their spans in that text."""
    corrected = list(words)
    placed = []
    offset = 0
    for edit in sorted(annotation, key=lambda edit: (edit.start, edit.end)):
        detects = edit.error_type in DETECTIONS
        tokens = words[edit.start : edit.end] if detects else edit.corrections[0].split()
        start = edit.start + offset
        corrected[start : edit.end + offset] = tokens
        placed.append((edit, start, start + len(tokens)))
        offset += len(tokens) - (edit.end - edit.start)
    return " ".join(corrected), placed
