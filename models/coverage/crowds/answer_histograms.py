"""Histograms of a crowd's corrections of each sentence, which estimators of coverage read."""

from collections import Counter, defaultdict
from typing import Any

from maege.analysis.extraction.plain_alignment import changed_places
from maege.analysis.statistics.coverage import count_histogram
from maege.analysis.stored.rows import rows_to_table, table_schema

SCHEMA = table_schema(
    "corpus varchar, sentence_id integer, measure varchar, n_answers integer, histogram varchar"
)


def model(dbt: Any, session: Any) -> Any:  # noqa: ARG001 (dbt's signature)
    answers = (
        dbt.ref("usable_corrections")
        .filter("left_out is null")
        .aggregate("corpus, sentence_id, any_value(sentence), compared, count(*)")
        .order("corpus, sentence_id, compared")
        .fetchall()
    )
    variants: defaultdict[tuple[str, int, str], Counter[str]] = defaultdict(Counter)
    for corpus, sentence_id, sentence, compared, n_answers in answers:
        variants[corpus, sentence_id, "exact"][compared] += n_answers
        places = " ".join(map(str, changed_places(sentence, compared)))
        variants[corpus, sentence_id, "index"][places] += n_answers
    rows = (
        (*key, counts.total(), ",".join(map(str, count_histogram([*counts.values()]))))
        for key, counts in variants.items()
    )
    return rows_to_table(rows, SCHEMA)
