"""Corrected texts of annotators whose edits do not have ERRANT's types, for ERRANT to type.

The text is made from M2 as in `errant_m2 -auto`, which keeps spans of NUCLE's type Um.
"""

from itertools import groupby
from operator import itemgetter
from typing import Any

from maege.analysis.edits import Edit
from maege.analysis.extraction.errant_edits import corrected_text
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema(
    "corpus varchar, annotation_set varchar, sentence_id integer, annotator varchar, "
    "source_text varchar, text varchar"
)


def model(dbt: Any, session: Any) -> Any:
    readers = dbt.ref("metric_registry").filter("is_selected and reads_types")
    if not readers.limit(1).fetchall():
        return SCHEMA.empty_table()
    edits = dbt.ref("usable_edits")  # noqa: F841 (read by name in the query, and so are the others)
    sentences = dbt.ref("usable_sentences")  # noqa: F841
    sets = dbt.ref("untyped_annotation_sets")  # noqa: F841
    rows = session.sql(
        "select edits.corpus, edits.annotation_set, edits.sentence_id, edits.annotator, "
        "array_to_string(tokens, ' ') as source, "
        "start_token, end_token, error_type, correction "
        "from edits semi join sets using (corpus, annotation_set) "
        "inner join sentences using (corpus, sentence_id) "
        "where kind = 'correction' and out_of_range is null "
        "order by edits.corpus, annotation_set, sentence_id, annotator, edit_index"
    ).fetchall()
    retyped = []
    for (*key, source), annotation_edits in groupby(rows, key=itemgetter(0, 1, 2, 3, 4)):
        # An edit of type UNK with a correction changes the text.
        edits_of = [
            Edit(start, end, "" if error_type == "UNK" else error_type, (text,))
            for *_, start, end, error_type, text in annotation_edits
        ]
        retyped.append((*key, source, corrected_text(source, edits_of)))
    return rows_to_table(retyped, SCHEMA)
