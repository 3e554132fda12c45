"""An annotation set of the warehouse as M2, whatever it was read from or extracted from."""

from itertools import groupby

from maege.analysis.edits import BARS
from maege.exports.annotations import annotator_numbers, check_annotation_set, stored_edits
from maege.ingest.findings import quote
from maege.ingest.formats.annotation_file import (
    NOOP,
    NOTHING,
    EditLine,
    UnwritableError,
    annotator_order,
)
from maege.ingest.warehouse import Warehouse, open_build


def export_m2(warehouse: Warehouse, corpus: str, annotation_set: str) -> tuple[str, dict[str, str]]:
    """Return the annotation set as M2, and the annotators' names by their numbers in it.

    Annotators keep names that are numbers; else all are numbered in order, because most programs
    that read M2 want numbers. Raises UnknownNameError, WarehouseError where the database cannot be
    read or where edits have to be extracted first, and UnwritableError where a correction that is
    text has what M2 reads as something else.
    """
    with open_build(warehouse, read_only=True) as connection:
        check_annotation_set(connection, corpus, annotation_set)
        stored = stored_edits(connection, corpus, annotation_set)
        names = connection.execute(
            "select annotator from raw.annotators where corpus = $1 and annotation_set = $2",
            [corpus, annotation_set],
        ).fetchall()
        sentences = connection.execute(
            "select sentence_id, array_to_string(tokens, ' ') from raw.sentences "
            "where corpus = $1 order by sentence_id",
            [corpus],
        ).fetchall()
    numbers = annotator_numbers(sorted((name for (name,) in names), key=annotator_order))
    edits = [line for line, _ in stored if line.out_of_range != "skipped"]
    lines_of = {
        sentence: [_line(line, numbers[line.annotator]) for line in of_sentence]
        for sentence, of_sentence in groupby(edits, key=lambda line: line.sentence_id)
    }
    text = "".join(
        "\n".join([f"S {tokens}", *lines_of.get(sentence, []), "", ""])
        for sentence, tokens in sentences
    )
    return text, {number: name for name, number in numbers.items()}


def _line(line: EditLine, number: str) -> str:
    start, end, error_type, corrections, _ = line.edit
    for text in corrections:
        if BARS in text or text == NOTHING:
            raise UnwritableError(
                f"M2 cannot hold the correction {quote(text)} in sentence {line.sentence_id}, "
                "which it would read as something else; maege export imeasure can"
            )
    about = line.required or "REQUIRED", line.comment or NOTHING, number
    if line.kind == "none":
        return "|||".join(["A -1 -1", NOOP, NOTHING, *about])
    return "|||".join([f"A {start} {end}", error_type, line.correction or NOTHING, *about])
