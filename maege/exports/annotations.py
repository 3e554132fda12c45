"""Annotations of the warehouse in other programs' formats."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import duckdb

from maege.analysis.metrics.imeasure.error_groups import Correction, ErrorGroup, error_groups
from maege.ingest.findings import check_known
from maege.ingest.formats.annotation_file import ALTERNATIVE_SEPARATOR, annotator_order
from maege.ingest.formats.edit_kinds import NOTHING
from maege.ingest.formats.imeasure_xml import REQUIRED
from maege.ingest.formats.imeasure_xml_writer import (
    XmlCorrection,
    XmlError,
    XmlSentence,
    imeasure_xml,
)
from maege.ingest.warehouse import Warehouse, WarehouseError, open_build

# An edit that was extracted is required, and belongs to no error.
EXTRACTED = "(select *, '' as required from edits.annotated_edits)"


class _Edit(NamedTuple):
    sentence_id: int
    path: str
    line: int
    annotator: str
    edit_index: int
    start_token: int
    end_token: int
    error_type: str
    correction: str
    required: str
    error_group: str | None


def export_imeasure(warehouse: Warehouse, corpus: str, annotation_set: str) -> str:
    """Return the I-measure's XML of an annotation set.

    Edits from M2 are joined to errors, those from XML keep theirs; those whose span is none of
    their sentence have no place in it. Raises UnknownNameError, and WarehouseError where the
    database cannot be read.
    """
    with open_build(warehouse, read_only=True) as connection:
        check_annotation_set(connection, corpus, annotation_set)
        key = {"corpus": corpus, "annotation_set": annotation_set}
        extracted = is_extracted(connection, corpus, annotation_set)
        relation = EXTRACTED if extracted else "raw.m2_edits"
        texts = connection.execute(
            "select array_to_string(tokens, ' ') from raw.sentences "
            "where corpus = $corpus order by sentence_id",
            {"corpus": corpus},
        ).fetchall()
        counts = connection.execute(
            f"select sentence_id, count(distinct annotator) from {relation} "  # noqa: S608
            "where corpus = $corpus and annotation_set = $annotation_set group by sentence_id",
            key,
        ).fetchall()
        edits = connection.execute(
            f"select {', '.join(_Edit._fields)} from {relation} where corpus = $corpus "  # noqa: S608
            "and annotation_set = $annotation_set and kind = 'correction' and out_of_range is null "
            "order by sentence_id",
            key,
        ).fetchall()
        annotators = connection.execute(
            "select annotator from raw.annotators "
            "where corpus = $corpus and annotation_set = $annotation_set",
            key,
        ).fetchall()
    names = sorted((name for (name,) in annotators), key=annotator_order)
    sentences = _sentences(
        [text for (text,) in texts],
        dict(counts),
        [_Edit(*edit) if extracted else _read(_Edit(*edit)) for edit in edits],
        names,
    )
    return "".join(imeasure_xml(sentences))


def check_annotation_set(
    connection: duckdb.DuckDBPyConnection, corpus: str, annotation_set: str
) -> None:
    """Raise UnknownNameError unless the corpus has the set, WarehouseError where there is none."""
    try:
        sets = connection.execute(
            "select corpora.corpus, annotators.annotation_set from raw.corpora as corpora "
            "left join raw.annotators as annotators on corpora.corpus = annotators.corpus "
            "group by all order by all"
        ).fetchall()
    except duckdb.CatalogException:
        raise WarehouseError("Nothing is ingested yet. Run: maege ingest corpora/sample") from None
    check_known(f"corpus {corpus}", corpus, dict.fromkeys(name for name, _ in sets))
    own = [name for owner, name in sets if owner == corpus and name]
    check_known(f"annotation set {annotation_set} in {corpus}", annotation_set, own)


def annotator_numbers(names: list[str]) -> dict[str, str]:
    """Return the numbers by which other programs know annotators, from 0 in the names' order.

    Names that are numbers stay.
    """
    is_numbered = all(name.isdecimal() for name in names)
    return {name: name if is_numbered else str(i) for i, name in enumerate(names)}


def is_extracted(connection: duckdb.DuckDBPyConnection, corpus: str, annotation_set: str) -> bool:
    """Whether the edits of a set are those that a build extracts from references.

    Raises WarehouseError where they have to be extracted first.
    """
    key = [corpus, annotation_set]
    extracted = connection.execute(
        "select count(*) from raw.extracted_sets where corpus = $1 and annotation_set = $2", key
    ).fetchone()
    if extracted is None or not extracted[0]:
        return False
    try:
        built = connection.execute(
            "select count(*) from edits.annotated_edits where corpus = $1 and annotation_set = $2",
            key,
        ).fetchone()
    except duckdb.CatalogException:
        built = None
    if built is None or not built[0]:
        raise WarehouseError(
            f"the edits of {annotation_set} are extracted by a build; run dbt build, then export "
            "them"
        )
    return True


def _read(edit: _Edit) -> _Edit:
    """Return an edit of M2 with the first of its alternatives; XML, which groups, has none."""
    if edit.error_group is not None:
        return edit
    text = edit.correction.split(ALTERNATIVE_SEPARATOR)[0]
    return edit._replace(correction="" if text == NOTHING else text)


def _sentences(
    texts: list[str], annotators_of: dict[int, int], edits: list[_Edit], names: list[str]
) -> Iterator[XmlSentence]:
    edits_of = {
        sentence_id: list(group)
        for sentence_id, group in groupby(edits, key=lambda edit: edit.sentence_id)
    }
    shown = annotator_numbers(names)
    place = {name: i for i, name in enumerate(names)}
    for sentence_id, text in enumerate(texts):
        own = edits_of.get(sentence_id, [])
        count = annotators_of.get(sentence_id, 0)
        if any(edit.error_group is not None for edit in own):
            errors = list(_stored_errors(own, shown))
        else:
            groups = error_groups(_corrections(own, place), count)
            errors = list(_made_errors(groups, [shown[name] for name in names]))
        yield XmlSentence(text, count, errors)


def _stored_errors(edits: list[_Edit], shown: dict[str, str]) -> Iterator[XmlError]:
    by_error: dict[str, list[_Edit]] = {}
    for edit in sorted(edits, key=lambda edit: edit.edit_index):
        by_error.setdefault(edit.error_group or "", []).append(edit)
    for error_id in sorted(by_error, key=annotator_order):
        members = by_error[error_id]
        yield XmlError(
            error_id,
            members[0].required == REQUIRED[0],
            members[0].error_type,
            [
                XmlCorrection(shown[e.annotator], e.start_token, e.end_token, e.correction)
                for e in members
            ],
        )


def _corrections(edits: list[_Edit], place: dict[str, int]) -> Iterator[Correction]:
    """Yield the corrections in the order of the files."""
    first_of: dict[str, int] = {}
    for edit in edits:
        first_of[edit.path] = min(first_of.get(edit.path, len(place)), place[edit.annotator])
    ordered = sorted(edits, key=lambda edit: (first_of[edit.path], edit.path, edit.line))
    for position, edit in enumerate(ordered):
        yield Correction(
            place[edit.annotator],
            edit.start_token,
            edit.end_token,
            " ".join(edit.correction.split()),
            edit.error_type,
            position,
        )


def _made_errors(groups: Iterable[ErrorGroup], names: list[str]) -> Iterator[XmlError]:
    for number, group in enumerate(groups, start=1):
        yield XmlError(
            str(number),
            group.required,
            "/".join(group.error_types),
            [
                XmlCorrection(names[correction.annotator], *correction[1:4])
                for alternative in group.alternatives
                for correction in alternative.corrections
            ],
        )
