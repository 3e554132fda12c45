"""The words of what a crowd's answers make of each sentence, and how many gave each."""

from typing import Any

import pyarrow as pa

from analysis.stored.perfect_rows import CROWD, crowd_rows
from analysis.stored.rows import rows_to_table


def model(dbt: Any, session: Any) -> pa.Table:  # noqa: ARG001 (dbt's signature)
    """Return one row per corpus, sentence and text."""
    answers = (
        dbt.ref("stg_corpus__corrections")
        .filter("left_out is null")
        .order("corpus, sentence_id, line")
        .select("corpus, sentence_id, sentence, correction")
        .fetchall()
    )
    return rows_to_table(crowd_rows(answers), CROWD)
