"""What an oracle takes from k-best lists, as the paper on coverage counted it."""

from typing import Any

from maege.analysis.stored.corrections import LISTS, SCHEMA, all_reranked_rows
from maege.analysis.stored.rows import rows_to_table


def model(dbt: Any, session: Any) -> Any:
    choices = dbt.source("raw", "k_best")  # noqa: F841 (read by name in the query)
    listed = dbt.ref("listed_references")  # noqa: F841
    sentences = dbt.ref("usable_sentences")  # noqa: F841
    sets = dbt.source("raw", "reference_sets")  # noqa: F841
    gold = dbt.ref("annotated_gold")  # noqa: F841
    lists = session.sql(LISTS).fetchall()
    level, seed = dbt.settings.confidence_level, dbt.settings.seed
    return rows_to_table(all_reranked_rows(lists, level, seed, as_published=True), SCHEMA)
