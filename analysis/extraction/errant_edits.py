"""Typed edits from one text to another, equal to those of ERRANT 3.0.2, from stored parses.

Bryant, Felice and Briscoe 2017, "Automatic Annotation and Evaluation of Error Types for Grammatical
Error Correction". Alignment and merging are compiled (errant_alignment.py, errant_merging.py); the
error types are those of ERRANT's own classifier.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from maege.analysis.edits import Annotation, Edit
from maege.analysis.extraction.parses import Parse
from maege.analysis.extraction.token_table import ReadText, token_table
from maege.analysis.extraction.tokens import Attributes, Sentence

# Edits that only mark an error: their correction changes nothing.
DETECTIONS = ("Um", "UNK")
# ERRANT computes a word's stem again, letter by letter, whenever a type depends on it.
_REMEMBERED_STEMS = 1 << 15
# About 10 MB.
_REMEMBERED_TYPES = 1 << 14
_known_types: dict[tuple[Attributes | None, ...], str] = {}


def extract(source: ReadText, target: ReadText) -> Annotation:
    """Return the edits from source to target, from left to right; one reader read both."""
    original, corrected = source.sentence, target.sentence
    if original.words == corrected.words:
        return ()
    # Imported here, because it needs numba: cached results are compared without it.
    from maege.analysis.extraction.errant_merging import edit_spans

    spans: list[list[int]] = edit_spans(*token_table(source, target)).tolist()
    return tuple(
        Edit(span[0], span[1], _type(original, corrected, span), (correction,))
        for span in spans
        for correction in [" ".join(corrected.words[span[2] : span[3]])]
    )


def corrected_text(source: str, annotation: Iterable[Edit]) -> str:
    """Return the text of the source after an annotation, with its first corrections.

    Edits that only mark an error leave their tokens unchanged.
    """
    return _apply(source.split(), annotation)[0]


def classify(
    source: str, annotation: Iterable[Edit], source_parse: Parse, target_parse: Parse
) -> Annotation:
    """Return an annotation's edits in order of position, minimised and with ERRANT's types.

    Equal tokens at the ends of an edit are removed, as ERRANT does with gold edits; an edit that
    only marks an error keeps its span and correction. `target_parse` is that of `corrected_text`.
    """
    source_words = source.split()
    target, placed = _apply(source_words, annotation)
    original = Sentence(source_words, source_parse)
    corrected = Sentence(target.split(), target_parse)
    typed = []
    for edit, start, end in placed:
        span = [edit.start, edit.end, start, end]
        if edit.error_type in DETECTIONS:
            correction = " ".join(edit.corrections[0].split())
            error_type = _typed(original, corrected, span).type
            typed.append(Edit(edit.start, edit.end, error_type, (correction,)))
            continue
        found = _typed(original, corrected, span, minimise=True)
        correction = " ".join(token.text for token in found.c_toks)
        typed.append(Edit(found.o_start, found.o_end, found.type, (correction,)))
    return tuple(typed)


def _type(original: Sentence, corrected: Sentence, span: list[int]) -> str:
    """Return the type of an edit; corrections of a sentence share most of theirs.

    The type depends only on the attributes of the edit's tokens, unless the classifier read the
    dependency tree, which only some verbs require.
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
    original: Sentence, corrected: Sentence, span: list[int], *, minimise: bool = False
) -> Any:  # noqa: ANN401 - ERRANT is untyped
    make, classify_edit = _errant()
    edit = make(original, corrected, span)
    return classify_edit(edit.minimise() if minimise else edit)


@cache
def _errant() -> tuple[Any, Any]:
    """Return ERRANT's class of edits, and its classifier with a cache of stems."""
    from errant.edit import Edit as ErrantEdit
    from errant.en import classifier

    classifier.stemmer.stem = lru_cache(_REMEMBERED_STEMS)(classifier.stemmer.stem)
    return ErrantEdit, classifier.classify


def _apply(words: list[str], annotation: Iterable[Edit]) -> tuple[str, list[tuple[Edit, int, int]]]:
    """Return the corrected text, and the edits in order of position with their spans in it."""
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
