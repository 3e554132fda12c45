"""Annotations of a corpus as M2 or as the XML of I-measure."""

from collections.abc import Iterable, Iterator
from itertools import groupby

import duckdb

from maege.analysis.edits import BARS
from maege.analysis.metrics.imeasure import Correction, ErrorGroup, error_groups
from maege.ingest.findings import check_known, quote
from maege.ingest.formats.annotation_file import (
    NOOP,
    NOTHING,
    EditLine,
    UnwritableError,
    annotator_order,
    stored_line,
)
from maege.ingest.formats.imeasure_xml import REQUIRED, XmlError, XmlSentence, imeasure_xml
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build

# Edits of the raw tables, and edits extracted by a build. Extracted edits are always required and
# have a single correction.
_COLUMNS = "select line, sentence_id, annotator, start_token, end_token, error_type, correction,"
STORED = f"""{_COLUMNS} error_group, required, comment, out_of_range, edit_index, kind, path
    from raw.m2_edits
    where corpus = $corpus and annotation_set = $annotation_set
    order by sentence_id, annotator, edit_index nulls first
"""
EXTRACTED = f"""{_COLUMNS} '', '', '', null, edit_index, kind, path
    from edits.annotated_edits
    where corpus = $corpus and annotation_set = $annotation_set
    order by sentence_id, annotator, edit_index nulls first
"""


def _read(
    warehouse: Warehouse, corpus: str, annotation_set: str
) -> tuple[list[str], list[str], list[tuple[EditLine, str]]]:
    """Return tokenised sentences, sorted annotators, and edits with the paths of their files."""
    key = {"corpus": corpus, "annotation_set": annotation_set}
    with open_build(warehouse, read_only=True) as connection:
        try:
            sets = connection.execute(
                "select corpora.corpus, annotators.annotation_set, annotators.annotator "
                "from raw.corpora as corpora "
                "left join raw.annotators as annotators on corpora.corpus = annotators.corpus "
                "group by all order by all"
            ).fetchall()
        except duckdb.CatalogException:
            raise WarehouseError(
                "Nothing is ingested yet. Run: maege ingest corpora/sample"
            ) from None
        check_known(f"corpus {corpus}", corpus, dict.fromkeys(name for name, *_ in sets))
        annotators: dict[str, list[str]] = {}
        for owner, name, annotator in sets:
            if owner == corpus and name:
                annotators.setdefault(name, []).append(annotator)
        check_known(f"annotation set {annotation_set} in {corpus}", annotation_set, annotators)
        edits = connection.execute(
            EXTRACTED if _is_extracted(connection, corpus, annotation_set) else STORED, key
        ).fetchall()
        sentences = connection.execute(
            "select array_to_string(tokens, ' ') from raw.sentences "
            "where corpus = $corpus order by sentence_id",
            {"corpus": corpus},
        ).fetchall()
    return (
        [text for (text,) in sentences],
        sorted(annotators[annotation_set], key=annotator_order),
        [(stored_line(*columns), path) for *columns, path in edits],
    )


def _is_extracted(connection: duckdb.DuckDBPyConnection, corpus: str, annotation_set: str) -> bool:
    """Whether a build extracts the edits from references. Raises WarehouseError if it has not."""
    count = "select count(*) from {} where corpus = $1 and annotation_set = $2"
    key = [corpus, annotation_set]
    if connection.execute(count.format("raw.extracted_sets"), key).fetchall() == [(0,)]:
        return False
    try:
        n_edits = connection.execute(count.format("edits.annotated_edits"), key).fetchall()
    except duckdb.CatalogException:
        n_edits = [(0,)]
    if n_edits == [(0,)]:
        raise WarehouseError(
            f"the edits of {annotation_set} are extracted by a build; run maege build, then export "
            "them"
        )
    return True


def _numbers(names: list[str]) -> dict[str, str]:
    """Return a number for each annotator, for other programs; names that are numbers are kept."""
    is_numbered = all(name.isdecimal() for name in names)
    return {name: name if is_numbered else str(i) for i, name in enumerate(names)}


# --- The XML of I-measure ---


def export_imeasure(warehouse: Warehouse, corpus: str, annotation_set: str) -> str:
    """Return the I-measure's XML of an annotation set.

    Edits from M2 are grouped to errors; edits from XML keep their errors. Edits with a span outside
    their sentence are excluded. Raises UnknownError, and WarehouseError if the database cannot
    be read.
    """
    return "".join(imeasure_xml(_xml_sentences(*_read(warehouse, corpus, annotation_set))))


def _xml_sentences(
    texts: list[str], names: list[str], stored: list[tuple[EditLine, str]]
) -> Iterator[XmlSentence]:
    lines_of = {
        sentence_id: list(group)
        for sentence_id, group in groupby(stored, key=lambda edit: edit[0].sentence_id)
    }
    shown = _numbers(names)
    place = {name: i for i, name in enumerate(names)}
    for sentence_id, text in enumerate(texts):
        lines = lines_of.get(sentence_id, [])
        n_annotators = len({line.annotator for line, _ in lines})
        edits = [
            (line, path)
            for line, path in lines
            if line.kind == "correction" and line.out_of_range is None
        ]
        if any(line.edit.error_group for line, _ in edits):
            errors = list(_stored_errors([line for line, _ in edits], shown))
        else:
            groups = error_groups(_corrections(edits, place), n_annotators)
            errors = list(_made_errors(groups, [shown[name] for name in names]))
        yield XmlSentence(text, n_annotators, errors)


def _stored_errors(lines: list[EditLine], shown: dict[str, str]) -> Iterator[XmlError]:
    by_error: dict[str, list[EditLine]] = {}
    for line in sorted(lines, key=lambda line: line.edit_index or 0):
        by_error.setdefault(line.edit.error_group, []).append(line)
    for error_id in sorted(by_error, key=annotator_order):
        members = by_error[error_id]
        yield XmlError(
            error_id,
            members[0].required == REQUIRED[0],
            members[0].edit.error_type,
            [(shown[line.annotator], line.edit) for line in members],
        )


def _corrections(edits: list[tuple[EditLine, str]], place: dict[str, int]) -> Iterator[Correction]:
    first_of: dict[str, int] = {}
    for line, path in edits:
        first_of[path] = min(first_of.get(path, len(place)), place[line.annotator])
    ordered = sorted(edits, key=lambda edit: (first_of[edit[1]], edit[1], edit[0].line))
    for position, (line, _) in enumerate(ordered):
        text = " ".join(line.edit.corrections[0].split())
        yield Correction(place[line.annotator], line.edit._replace(corrections=(text,)), position)


def _made_errors(groups: Iterable[ErrorGroup], names: list[str]) -> Iterator[XmlError]:
    for number, group in enumerate(groups, start=1):
        yield XmlError(
            str(number),
            group.required,
            "/".join(group.error_types),
            [
                (names[correction.annotator], correction.edit)
                for corrections in group.alternatives
                for correction in corrections
            ],
        )


# --- M2 ---


def export_m2(warehouse: Warehouse, corpus: str, annotation_set: str, names: dict[str, str]) -> str:
    """Return the annotation set as M2; add the annotators' names by their numbers in it to `names`.

    Annotators whose names are numbers keep them. Otherwise all are numbered in order, because most
    programs that read M2 expect numbers. Raises UnknownError; WarehouseError if the database
    cannot be read or a build has to extract the edits first; and UnwritableError if a correction
    has characters with a special meaning in M2.
    """
    sentences, annotators, stored = _read(warehouse, corpus, annotation_set)
    numbers = _numbers(annotators)
    names |= {number: name for name, number in numbers.items()}
    edits = [line for line, _ in stored if line.out_of_range != "skipped"]
    lines_of = {
        sentence: [_m2_line(line, numbers[line.annotator]) for line in sentence_edits]
        for sentence, sentence_edits in groupby(edits, key=lambda line: line.sentence_id)
    }
    return "".join(
        "\n".join([f"S {tokens}", *lines_of.get(sentence, []), "", ""])
        for sentence, tokens in enumerate(sentences)
    )


def _m2_line(line: EditLine, number: str) -> str:
    start, end, error_type, corrections, _ = line.edit
    for text in corrections:
        if BARS in text or text == NOTHING:
            raise UnwritableError(
                f"M2 cannot represent the correction {quote(text)} in sentence {line.sentence_id}, "
                "because it has a special meaning in M2; use maege export imeasure"
            )
    about = line.required or "REQUIRED", line.comment or NOTHING, number
    if line.kind == "none":
        return "|||".join(["A -1 -1", NOOP, NOTHING, *about])
    return "|||".join([f"A {start} {end}", error_type, line.correction or NOTHING, *about])
