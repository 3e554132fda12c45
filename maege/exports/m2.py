"""An annotation set of the warehouse as M2, whatever it was read from or extracted from."""

from itertools import groupby
from operator import itemgetter

import duckdb

from ingest.formats.annotation_file import NOOP, annotator_order
from ingest.formats.edit_kinds import NOTHING
from ingest.warehouse import Warehouse, WarehouseError, open_build
from maege.exports.annotations import annotator_numbers, check_annotation_set

EDITS = """
    select sentence_id, annotator, kind, start_token, end_token, error_type, correction,
        coalesce(nullif(required, ''), 'REQUIRED'), coalesce(nullif(comment, ''), '-NONE-')
    from raw.m2_edits
    where corpus = $corpus and annotation_set = $set and out_of_range is distinct from 'skipped'
"""
EXTRACTED = """
    select sentence_id, annotator, kind, start_token, end_token, error_type, correction,
        'REQUIRED', '-NONE-'
    from edits.annotated_edits
    where corpus = $corpus and annotation_set = $set
"""
ORDER = " order by sentence_id, annotator, edit_index nulls first"


def export_m2(warehouse: Warehouse, corpus: str, annotation_set: str) -> tuple[str, dict[str, str]]:
    """Return the annotation set as M2, and the annotators' names by their numbers in it.

    Annotators keep names that are numbers; else all are numbered in order, because most programs
    that read M2 want numbers. Raises UnknownNameError, and WarehouseError where the database cannot
    be read or where edits have to be extracted first.
    """
    with open_build(warehouse, read_only=True) as connection:
        check_annotation_set(connection, corpus, annotation_set)
        key = {"corpus": corpus, "set": annotation_set}
        edits = connection.execute(_edits(connection, key) + ORDER, key).fetchall()
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
        sentence: [_line(numbers[annotator], *edit) for _, annotator, *edit in of_sentence]
        for sentence, of_sentence in groupby(edits, key=itemgetter(0))
    }
    text = "".join(
        "\n".join([f"S {tokens}", *lines_of.get(sentence, []), "", ""])
        for sentence, tokens in sentences
    )
    return text, {number: name for name, number in numbers.items()}


def _edits(connection: duckdb.DuckDBPyConnection, key: dict[str, str]) -> str:
    extracted = connection.execute(
        "select count(*) from raw.extracted_sets where corpus = $corpus and annotation_set = $set",
        key,
    ).fetchone()
    if extracted is None or not extracted[0]:
        return EDITS
    try:
        built = connection.execute(f"select count(*) from ({EXTRACTED})", key).fetchone()  # noqa: S608
    except duckdb.CatalogException:
        built = None
    if built is None or not built[0]:
        raise WarehouseError(
            f"the edits of {key['set']} are extracted by a build; run dbt build, then export them"
        )
    return EXTRACTED


def _line(number: str, kind: str, start: int, end: int, *edit: str) -> str:
    error_type, correction, required, comment = edit
    if kind == "none":
        return "|||".join(["A -1 -1", NOOP, NOTHING, required, comment, number])
    shown = error_type, correction or NOTHING
    return "|||".join([f"A {start} {end}", *shown, required, comment, number])
