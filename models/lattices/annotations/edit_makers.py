"""The number of references of the scored set that make each edit of a lattice."""

from collections import defaultdict
from typing import Any

from maege.analysis.extraction.plain_alignment import shared_edits
from maege.analysis.stored.rows import rows_of, rows_to_table, table_schema

SCHEMA = table_schema(
    "corpus varchar, annotation_id bigint, edit_bit bigint, error_type varchar, made_by varchar"
)
Sentence = tuple[str, int]


def model(dbt: Any, session: Any) -> Any:
    edits, sentences, lattices, listed = (  # noqa: F841 (read by name in the queries)
        dbt.ref("annotation_edits").filter("is_in_lattice"),
        dbt.ref("usable_sentences"),
        dbt.source("raw", "lattices"),
        dbt.ref("listed_references"),
    )
    references: dict[Sentence, list[str]] = defaultdict(list)
    for *sentence, text in rows_of(
        session.sql(
            "select lattices.corpus, sentence_id, text from listed "
            "inner join lattices using (corpus, reference_set) order by all"
        )
    ):
        references[tuple(sentence)].append(text)
    rows: list[tuple[Any, ...]] = []
    for corpus, sentence_id, tokens, keys, places in session.sql(
        "select edits.corpus, edits.sentence_id, any_value(tokens), "
        "list((annotation_id, edit_bit, error_type) order by annotation_id, edit_bit), "
        "list((start_token, end_token, correction) order by annotation_id, edit_bit) "
        "from edits inner join sentences using (corpus, sentence_id) group by all order by all"
    ).fetchall():
        sentence_references = references[corpus, sentence_id]
        if sentence_references:
            edited = [
                " ".join([*tokens[:start], correction, *tokens[end:]])
                for start, end, correction in places
            ]
            shared = shared_edits(" ".join(tokens), edited, sentence_references)
            rows += [
                (corpus, *key, edit_shares.made_by)
                for key, edit_shares in zip(keys, shared, strict=True)
            ]
    return rows_to_table(rows, SCHEMA)
