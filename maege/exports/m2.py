"""An annotation set of the warehouse as M2, whatever it was read from or extracted from."""

from itertools import groupby
from operator import itemgetter

from maege.exports.annotations import annotator_numbers, check_annotation_set, is_extracted
from maege.ingest.findings import quote
from maege.ingest.formats.annotation_file import (
    ALTERNATIVE_SEPARATOR,
    NOOP,
    UnwritableError,
    annotator_order,
)
from maege.ingest.formats.edit_kinds import NOTHING
from maege.ingest.warehouse import Warehouse, open_build

EDITS = """
    select sentence_id, annotator, kind, start_token, end_token, error_type, correction,
        coalesce(nullif(required, ''), 'REQUIRED'), coalesce(nullif(comment, ''), '-NONE-'),
        error_group is not null as is_text
    from raw.m2_edits
    where corpus = $corpus and annotation_set = $set and out_of_range is distinct from 'skipped'
"""
EXTRACTED = """
    select sentence_id, annotator, kind, start_token, end_token, error_type, correction,
        'REQUIRED', '-NONE-', true as is_text
    from edits.annotated_edits
    where corpus = $corpus and annotation_set = $set
"""
ORDER = " order by sentence_id, annotator, edit_index nulls first"


def export_m2(warehouse: Warehouse, corpus: str, annotation_set: str) -> tuple[str, dict[str, str]]:
    """Return the annotation set as M2, and the annotators' names by their numbers in it.

    Annotators keep names that are numbers; else all are numbered in order, because most programs
    that read M2 want numbers. Raises UnknownNameError, WarehouseError where the database cannot be
    read or where edits have to be extracted first, and UnwritableError where a correction that is
    text has what M2 reads as something else.
    """
    with open_build(warehouse, read_only=True) as connection:
        check_annotation_set(connection, corpus, annotation_set)
        key = {"corpus": corpus, "set": annotation_set}
        query = EXTRACTED if is_extracted(connection, corpus, annotation_set) else EDITS
        edits = connection.execute(query + ORDER, key).fetchall()
        names = connection.execute(
            "select annotator from raw.annotators where corpus = $corpus and annotation_set = $set",
            key,
        ).fetchall()
        sentences = connection.execute(
            "select sentence_id, array_to_string(tokens, ' ') from raw.sentences "
            "where corpus = $1 order by sentence_id",
            [corpus],
        ).fetchall()
    numbers = annotator_numbers(sorted((name for (name,) in names), key=annotator_order))
    lines_of = {
        sentence: [
            _line(sentence, numbers[annotator], *edit) for _, annotator, *edit in of_sentence
        ]
        for sentence, of_sentence in groupby(edits, key=itemgetter(0))
    }
    text = "".join(
        "\n".join([f"S {tokens}", *lines_of.get(sentence, []), "", ""])
        for sentence, tokens in sentences
    )
    return text, {number: name for name, number in numbers.items()}


def _line(
    sentence: int,
    number: str,
    kind: str,
    start: int,
    end: int,
    error_type: str,
    correction: str,
    required: str,
    comment: str,
    is_text: bool,
) -> str:
    if is_text and (ALTERNATIVE_SEPARATOR in correction or correction == NOTHING):
        raise UnwritableError(
            f"M2 cannot hold the correction {quote(correction)} in sentence {sentence}, which it "
            "would read as something else; maege export imeasure can"
        )
    if kind == "none":
        return "|||".join(["A -1 -1", NOOP, NOTHING, required, comment, number])
    shown = error_type, correction or NOTHING
    return "|||".join([f"A {start} {end}", *shown, required, comment, number])
