"""What an oracle takes from k-best lists, by reference set, metric and number of references."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa

from maege.analysis.stored.coverage.reranked_rows import SCHEMA, Listed, reranked_rows
from maege.analysis.stored.rows import built_modes, rows_to_table
from maege.analysis.white_space import squeezed

# The outputs of each list from its first choice on; the references of each set as texts, and as
# edits of annotators if the set has them.
LISTS = """
    with outputs as (
        select corpus, system, sentence_id, list(text order by rank) as outputs
        from choices group by all
    ),
    texts as (
        select corpus, reference_set, sentence_id, list(text order by position) as texts
        from listed group by all
    )
    select
        corpus, reference_set, system, array_to_string(tokens, ' '),
        outputs, texts, list_filter(coalesce(annotations, []), lambda x: x is not null)
    from outputs
    inner join sentences using (corpus, sentence_id)
    inner join texts using (corpus, sentence_id)
    inner join sets using (corpus, reference_set)
    left join gold using (corpus, sentence_id, annotation_set)
    order by corpus, reference_set, system, sentence_id
"""


def model(dbt: Any, session: Any) -> pa.Table:
    """Return one row per corpus, reference set, system, mode, metric and number of references."""
    level = float(dbt.config.meta_get("confidence_level"))
    seed = int(dbt.config.meta_get("seed"))
    modes = built_modes(dbt.config.meta_get("replication"))
    choices = dbt.source("raw", "k_best")  # noqa: F841 (read by name in the query)
    listed = dbt.ref("listed_references")  # noqa: F841
    sentences = dbt.ref("usable_sentences")  # noqa: F841
    sets = dbt.source("raw", "reference_sets")  # noqa: F841
    gold = dbt.ref("annotated_gold")  # noqa: F841
    rows: list[tuple[Any, ...]] = []
    for key, group in groupby(session.sql(LISTS).fetchall(), key=itemgetter(0, 1, 2)):
        lists = [
            Listed(source, tuple(map(squeezed, outputs)), tuple(texts), tuple(annotations))
            for *_, source, outputs, texts, annotations in group
        ]
        rows += reranked_rows(key, lists, level, seed, modes)
    return rows_to_table(rows, SCHEMA)
