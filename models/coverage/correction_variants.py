"""The corrections that a crowd gave of each sentence, and how many gave each, by measure."""

from collections import Counter
from typing import Any

import pyarrow as pa

from maege.analysis.extraction.word_alignment import changed_places
from maege.analysis.stored.rows import rows_to_table

SCHEMA = pa.schema(
    {
        "corpus": pa.string(),
        "sentence_id": pa.int32(),
        "measure": pa.string(),
        "variant": pa.string(),
        "n_answers": pa.int32(),
    }
)


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per sentence, measure and variant."""
    answers = (
        dbt.ref("usable_corrections")
        .filter("left_out is null")
        .aggregate("corpus, sentence_id, any_value(sentence), compared, count(*)")
        .order("corpus, sentence_id, compared")
        .fetchall()
    )
    counted: Counter[tuple[str, int, str, str]] = Counter()
    for corpus, sentence_id, sentence, compared, n_answers in answers:
        counted[corpus, sentence_id, "exact", compared] += n_answers
        places = " ".join(map(str, changed_places(sentence, compared)))
        counted[corpus, sentence_id, "index", places] += n_answers
    return rows_to_table(
        [(*key, n_answers) for key, n_answers in counted.items()],
        SCHEMA,
    )
